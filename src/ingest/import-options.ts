import type { IncrementalLimits } from '../snapshot/model-before.ts';
import type { MaxRejects } from './rejects.ts';

export interface ImportOptions {
  /** How many rejects are allowed: none, unless it is given. */
  readonly maxRejects?: MaxRejects;
  /**
   * Whether order lines are added to those of the same order that were loaded before, instead of replacing
   * them all.
   */
  readonly addsLines?: boolean;
  /**
   * The limits within which the model is brought up to date only for those whom the import affects. Null
   * means never: all of it is built.
   */
  readonly incremental?: IncrementalLimits | null;
  /** Whether to do all of it but to serve the result. */
  readonly isTrial?: boolean;
  /** The newest snapshot must still be this one, or none. Without: whichever is. */
  readonly buildsOn?: string | null;
  /** Whether an `UnchangedError` ends an import of rows that are all there as they are. */
  readonly refusesUnchanged?: boolean;
  /** Whether all files are landed rows, in which hashes stand for e-mail addresses and phone numbers. */
  readonly isOfLanded?: boolean;
  /** The moment at which the files were read where they come from. Without it, that is now. */
  readonly readAt?: Date;
  /** The id of the connection that brought the files; without: a person did. */
  readonly broughtBy?: string;
}

import type { Limits } from './limits.ts';

/** What a parent says to its child, a line of JSON each. Secrets go this way, and no other. */
export type ToChild =
  | { readonly say: 'work'; readonly job: unknown; readonly limits: Limits }
  /** The process may do now what it waits for. */
  | { readonly say: 'turn' }
  | { readonly say: 'stop' };

/** What a child tells its parent, a line of JSON each. */
export type FromChild =
  | {
      readonly tell: 'log';
      readonly level: 'info' | 'warn' | 'error';
      readonly details: object;
      readonly message: string;
    }
  | { readonly tell: 'note'; readonly note: unknown }
  /** The process waits for its turn. */
  | { readonly tell: 'wait' }
  /** The process has had its turn. */
  | { readonly tell: 'on' }
  | { readonly tell: 'done'; readonly result: unknown; readonly residentMb: number }
  | { readonly tell: 'failed'; readonly error: ToldError; readonly isOver: boolean };

interface ToldError {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

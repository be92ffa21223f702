import { ImportError } from '../snapshot/import-errors.ts';
import { LimitError } from '../snapshot/import-limits.ts';
import { plural } from '../text/plural.ts';
import { allUnanswered, UnansweredError } from './unanswered.ts';

/** This many files are described. A folder may hold thousands. */
const MOST_DESCRIBED = 20;

/**
 * The files of an import that cannot be read. All of them are told at once, so that nobody mends one file,
 * tries again, and hears of the next one; or they are left out, where somebody asked for that.
 */
export class UnreadFiles {
  readonly #areLeftOut: boolean;
  readonly #errors: ImportError[] = [];
  readonly #names = new Set<string>();
  /** What was passed over, since it is no file. */
  readonly #passedOver: string[] = [];

  constructor(areLeftOut: boolean) {
    this.#areLeftOut = areLeftOut;
  }

  /**
   * Reads one file, or a step of it.
   *
   * @param name of the file, for a step after it was recognised
   * @returns null where the file cannot be read
   * @throws what is no fault of that file, such as a limit of the whole import
   */
  async attempt<Read>(read: () => Promise<Read>, name?: string): Promise<Read | null> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ImportError) || error instanceof LimitError) throw error;
      this.#errors.push(error);
      if (name !== undefined) this.#names.add(name);
      return null;
    }
  }

  /** Reports an entry that lies beside the files and is not one to import. */
  passOver(note: string): void {
    this.#passedOver.push(note);
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** Whether the import stops, as soon as all files were looked at. */
  get stop(): boolean {
    return this.#errors.length > 0 && !this.#areLeftOut;
  }

  /** @throws ImportError that names all files, where they are not left out */
  refuse(): void {
    const [first, ...others] = this.#errors;
    if (first === undefined || this.#areLeftOut) return;
    if (others.length === 0) throw first;
    const unanswered = this.#errors.filter((error) => error instanceof UnansweredError);
    if (unanswered.length === this.#errors.length) throw allUnanswered(unanswered);
    throw new ImportError(
      `${plural(this.#errors.length, 'file cannot be read', 'files cannot be read')}, so nothing was imported.\n${this.#described('')}\n` +
        'Mend them or take them away; on the command line --skip-unreadable imports the others',
    );
  }

  /** What was left out or passed over, for the report. */
  get notes(): readonly string[] {
    const leftOut = this.#areLeftOut && this.#errors.length > 0;
    return [...this.#passedOver, ...(leftOut ? this.#described('Left out: ').split('\n') : [])];
  }

  #described(before: string): string {
    const more = this.#errors.length - MOST_DESCRIBED;
    return [
      ...this.#errors
        .slice(0, MOST_DESCRIBED)
        .map(({ message }) => `${before}${message.replaceAll('\n', ' ')}`),
      ...(more > 0 ? [`${before}${plural(more, 'other file', 'other files')}`] : []),
    ].join('\n');
  }
}

import { createHash } from 'node:crypto';
import type { Answer, Arguments } from '../answers/tool.ts';
import type { Assumption } from '../business/assumptions.ts';
import type { Pieces } from '../main-thread/pieces.ts';
import type { SnapshotReference } from '../warehouse/warehouse.ts';
import { writeAnswer } from './write-answer.ts';

/** Longer answers are not kept: few ask twice for so much, and one would take the place of hundreds. */
const LONGEST_KEPT = 256 * 1024;

interface OfBusiness {
  readonly snapshotId: string;
  /** The answers, as JSON, the one that was asked for longest ago first. */
  readonly answers: Map<string, Buffer>;
  bytes: number;
}

/**
 * Answers to questions that were asked before. A snapshot never changes, so neither does what it answers:
 * only the notes that do not come of it, such as how old the data are, are added to a kept answer each time.
 *
 * The answers of each business are of one snapshot, the last that was asked. They are shared by the
 * accounts that may read the business, and no account learns of another business whether something was asked
 * of it.
 *
 * @example const kept = new KeptAnswers(64 * 1024 ** 2); kept.keep(snapshot, keyOf('order_statistics', args),
 *   Buffer.from(json)); kept.find(snapshot, keyOf('order_statistics', args)); // the same buffer, until it
 *   has to make room
 */
export class KeptAnswers {
  readonly #most: number;
  readonly #businesses = new Map<string, OfBusiness>();
  #bytes = 0;
  #found = 0;
  #missed = 0;

  /** @param most bytes of all answers; one business has at most a quarter of them */
  constructor(most: number) {
    this.#most = most;
  }

  /** How many bytes are kept, and how many questions were answered by them and how many were not. */
  get state(): { readonly bytes: number; readonly found: number; readonly missed: number } {
    return { bytes: this.#bytes, found: this.#found, missed: this.#missed };
  }

  /** Whether there is room for none. */
  get isOff(): boolean {
    return this.#most === 0;
  }

  find({ business_id, snapshot_id }: SnapshotReference, key: string): Buffer | null {
    const business = this.#businesses.get(business_id);
    const answer = business?.snapshotId === snapshot_id ? business.answers.get(key) : undefined;
    if (business === undefined || answer === undefined) {
      this.#missed += 1;
      return null;
    }
    this.#found += 1;
    business.answers.delete(key);
    business.answers.set(key, answer);
    return answer;
  }

  /**
   * Keeps it where there is room, which the answers make that were asked for longest ago: first those of the
   * business.
   */
  keep({ business_id, snapshot_id }: SnapshotReference, key: string, answer: Buffer): void {
    const bytes = answer.length + key.length;
    if (answer.length > LONGEST_KEPT || bytes > this.#most / 4) return;
    const business = this.#of(business_id, snapshot_id);
    if (business.answers.has(key)) return;
    business.answers.set(key, answer);
    business.bytes += bytes;
    this.#bytes += bytes;
    while (business.bytes > this.#most / 4) this.#dropOldest(business_id, business);
    while (this.#bytes > this.#most) this.#dropOldest(...this.#largest());
  }

  #of(businessId: string, snapshotId: string): OfBusiness {
    const known = this.#businesses.get(businessId);
    if (known?.snapshotId === snapshotId) return known;
    this.#bytes -= known?.bytes ?? 0;
    const business = { snapshotId, answers: new Map<string, Buffer>(), bytes: 0 };
    this.#businesses.set(businessId, business);
    return business;
  }

  #dropOldest(businessId: string, business: OfBusiness): void {
    const [oldest] = business.answers;
    if (oldest === undefined)
      throw new Error(`no answer is kept of ${businessId}, and its bytes are counted`);
    const [key, { length }] = oldest;
    business.answers.delete(key);
    business.bytes -= length + key.length;
    this.#bytes -= length + key.length;
    if (business.answers.size === 0) this.#businesses.delete(businessId);
  }

  #largest(): [string, OfBusiness] {
    return [...this.#businesses].reduce((one, other) => (other[1].bytes > one[1].bytes ? other : one));
  }
}

/** JSON of an answer and of what is told beside it; null where it is too long to be kept. */
export function* writeToKeep<Told extends { readonly answer: Answer }>(told: Told): Pieces<Buffer | null> {
  const { result, ...others } = told.answer;
  try {
    const { parts } = yield* writeAnswer({ ...result }, LONGEST_KEPT, () => new TooLongToKeep());
    return Buffer.from(`[${parts.join('')}},${JSON.stringify({ ...told, answer: others })}]`);
  } catch (error) {
    if (error instanceof TooLongToKeep) return null;
    throw error;
  }
}

/** What `writeToKeep` wrote. */
export function readKept(json: Buffer): { readonly answer: Answer } {
  const [result, told] = JSON.parse(json.toString());
  return { ...told, answer: { ...told.answer, result } };
}

class TooLongToKeep extends Error {}

/**
 * The key of a question. The arguments are taken as they were given, since notes say what was ignored of
 * them; their order does not count.
 *
 * @param assumptions that the answer depends on: other ones make another answer
 */
export function keyOf(tool: string, args: Arguments, assumptions: readonly Assumption[] = []): string {
  const given = Object.entries(args).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([tool, given, ...(assumptions.length === 0 ? [] : [assumptions])]))
    .digest('base64url');
}

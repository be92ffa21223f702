import { type Access, type Json, type Stream, VendorError } from '../../../src/live/vendor.ts';
import type { Random } from './random.ts';

/**
 * What a run of a connection leaves on the disk, in the simplest way: the rows in their order, and the cursor
 * of the last page.
 */
export class Landing {
  readonly rows: Json[] = [];
  readonly gone: { readonly table: string; readonly key: Readonly<Record<string, string>> }[] = [];
  cursor: Json = null;
  /** How often the run was ended in the middle, and how often the vendor failed for good. */
  readonly ended = { killed: 0, failed: 0 };

  /** One run. A killed one may have the page that was not landed yet read already. */
  async run(stream: Stream, access: Access, killed: () => boolean = () => false): Promise<boolean> {
    try {
      for await (const page of stream.read(access, this.cursor)) {
        if (killed()) {
          this.ended.killed += 1;
          return false;
        }
        // As the control database keeps it.
        this.cursor = JSON.parse(JSON.stringify(page.cursor));
        this.rows.push(...page.rows);
        this.gone.push(...(page.gone ?? []));
        if (killed()) {
          this.ended.killed += 1;
          return false;
        }
      }
      return true;
    } catch (error) {
      if (!(error instanceof VendorError)) throw error;
      this.ended.failed += 1;
      this.failures.push(error);
      return false;
    }
  }

  readonly failures: VendorError[] = [];

  /** Run after run until one comes to its end. @throws Error after 300 */
  async runToEnd(stream: Stream, access: Access, onStopped: () => void = () => {}, killed?: () => boolean) {
    for (let run = 0; run < 300; run += 1) {
      if (await this.run(stream, access, killed)) return;
      onStopped();
    }
    throw new Error(`no end after 300 runs: ${this.failures.at(-1)?.stack}`);
  }
}

/** Ends a run after any page, before it is landed or after. */
export function killsRandomly(random: Random, share: number): () => boolean {
  return () => random() < share;
}

/** All streams of a vendor, each with what was landed of it. */
export function landingsOf(streams: readonly Stream[], access: Access, onStopped: () => void) {
  const landings = streams.map((stream) => ({ stream, landing: new Landing() }));
  return {
    landings,
    readAll: async (killed?: () => boolean) => {
      for (const { stream, landing } of landings) await landing.runToEnd(stream, access, onStopped, killed);
    },
    rows: () => landings.flatMap(({ landing }) => landing.rows),
  };
}

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Short files that take ten seconds of a processor or more. */
const LONG = [
  'contract/all-time',
  'contract/hostile-text',
  'ingest/delete-person',
  'ingest/failing-imports',
  'ingest/incremental',
  'oracle/hand-made-shop',
  'properties/random-batches',
  'properties/random-stores',
  'sources/order-owner',
  'sources/shopify-json',
  'web/uploads',
].map((file) => `/tests/${file}.test.ts`);

/**
 * vitest begins with the larger files until it knows how long each took. Those that are longer than they look
 * begin here too, each in its project: at the end, one worker would work on such a file and the others have
 * nothing left.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))];
    });
  }
}

function isLong({ moduleId }: TestSpecification): boolean {
  return LONG.some((file) => moduleId.endsWith(file));
}

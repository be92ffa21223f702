import { totalmem } from 'node:os';

const LEAST_MB = 1024;
const DUCKDB_SHARE = 0.65;

/** What an import takes where nobody chose: a quarter of the machine's or the container's memory, 1 GB at least. */
export function defaultImportMemory(): string {
  // A container without a limit reports a number beyond what any machine has.
  const available = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return `${Math.max(LEAST_MB, Math.floor(available / 4 / 1024 ** 2))}MiB`;
}

/**
 * The part that DuckDB may fill. Node, the buffers of files that are written, and what an allocator cannot give back come on top:
 * with 1.3 GB, an import of 20 million events took 1.97.
 *
 * @param importMemory for example `2GB`
 */
export function memoryOfDuckDb(importMemory: string): string {
  return importMemory.replace(/^[\d.]+/, (amount) => String(DUCKDB_SHARE * Number(amount)));
}

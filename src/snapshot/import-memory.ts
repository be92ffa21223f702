import { availableParallelism, totalmem } from 'node:os';

const LEAST_MB = 1024;
const DUCKDB_SHARE = 0.65;

/**
 * What an import takes where nobody chose: a quarter of the machine's or the container's memory, 1 GB at
 * least.
 */
export function defaultImportMemory(): string {
  return `${Math.max(LEAST_MB, Math.floor(availableMemory() / 4 / 1024 ** 2))}MiB`;
}

function availableMemory(): number {
  // A container without a limit reports a number beyond what any machine has.
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/** Imports out of the browser take at most this share of the memory; what tools ask takes the rest. */
const SHARE_OF_IMPORTS = 0.5;
const MOST_AT_ONCE = 4;

/**
 * The most imports from the browser that a server runs side by side: what their memory allows, and no more
 * than there are processors.
 *
 * @param importMemory of each, for example `2GB`
 * @param available bytes of the machine or container
 */
export function importsAtOnce(
  importMemory: string,
  available = availableMemory(),
  processors = availableParallelism(),
): number {
  const most = Math.min(MOST_AT_ONCE, processors);
  return Math.max(1, Math.min(most, Math.floor((SHARE_OF_IMPORTS * available) / bytesOf(importMemory))));
}

/**
 * The part that DuckDB may fill. Node, the buffers of files that are written, and what an allocator cannot
 * give back come on top: with 1.3 GB, an import of 20 million events took 1.97.
 *
 * @param importMemory for example `2GB`
 */
export function memoryOfDuckDb(importMemory: string): string {
  return importMemory.replace(/^[\d.]+/, (amount) => String(DUCKDB_SHARE * Number(amount)));
}

/** @param size for example `2GB` or `512MiB` */
export function bytesOf(size: string): number {
  const [, number = '', unit = '', binary = ''] = /^([\d.]+)\s?([KMGT])(i?)B$/i.exec(size) ?? [];
  const power = 'KMGT'.indexOf(unit.toUpperCase()) + 1;
  return Math.round(Number(number) * (binary === '' ? 1000 : 1024) ** power);
}

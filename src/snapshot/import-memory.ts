import { totalmem } from 'node:os';

const LEAST_MB = 1024;

/** What an import takes where nobody chose: a quarter of the machine's or the container's memory, 1 GB at least. */
export function defaultImportMemory(): string {
  // A container without a limit reports a number beyond what any machine has.
  const available = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return `${Math.max(LEAST_MB, Math.floor(available / 4 / 1024 ** 2))}MiB`;
}

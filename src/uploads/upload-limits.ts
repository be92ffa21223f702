/** How much people may bring in the browser, in bytes, and for how long it is kept. */
export interface UploadLimits {
  readonly file: number;
  /** The most bytes of all files of one upload. */
  readonly upload: number;
  readonly account: number;
  /** The most bytes of everybody's uploads. */
  readonly all: number;
  readonly hours: number;
}

export const MOST_FILES = 200;

/** `1.5 GB`, in the unit that its size asks for. */
export function describeBytes(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const number = bytes / 1000 ** power;
  return `${power === 0 ? number : Number(number.toPrecision(3))} ${units[power]}`;
}

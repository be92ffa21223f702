/**
 * What browsers and desktops put behind the name of a file that is there already: `orders (1).csv`,
 * `orders(2).csv`, `orders - Copy.csv`, `orders copy 2.csv`. The later download has the greater number, and
 * by its name alone it would stand before the first one.
 */
const COPY = / ?\((\d{1,6})\)$| - [Cc]opy(?: \((\d{1,6})\))?$| copy(?: (\d{1,6}))?$/;

/** `orders-1.csv` is a copy where `orders.csv` lies beside it. */
const NUMBERED = /-(\d{1,6})$/;

interface Copy {
  /** The name of the first one. */
  readonly of: string;
  /** It is 0 for the first one. */
  readonly number: number;
}

/**
 * The files in the order in which they were given, but copies of one name in the order in which they were
 * made.
 */
export function inOrderOfCopies<File extends { readonly name: string }>(files: readonly File[]): File[] {
  const names = new Set(files.map(({ name }) => name));
  const groups = new Map<string, { readonly file: File; readonly number: number }[]>();
  for (const file of files) {
    const { of, number } = copyOf(file.name, names);
    const group = groups.get(of);
    if (group === undefined) groups.set(of, [{ file, number }]);
    else group.push({ file, number });
  }
  for (const group of groups.values()) group.sort((one, other) => other.number - one.number);
  // Each place of a group gets the next of its files.
  return files.map((file) => groups.get(copyOf(file.name, names).of)?.pop()?.file ?? file);
}

/** The longest name that a disk takes. Names in archives may be longer. */
const LONGEST_NAME = 255;

function copyOf(name: string, names: ReadonlySet<string>): Copy {
  if (name.length > LONGEST_NAME) return { of: name, number: 0 };
  const parts = partsOf(name);
  for (const [stem, ending] of parts) {
    const copy = COPY.exec(stem);
    if (copy === null) continue;
    const number = copy.slice(1).find((each) => each !== undefined);
    return { of: `${stem.slice(0, copy.index)}${ending}`, number: Number(number ?? 1) };
  }
  for (const [stem, ending] of parts) {
    const numbered = NUMBERED.exec(stem);
    const of = `${stem.slice(0, numbered?.index)}${ending}`;
    if (numbered !== null && names.has(of)) return { of, number: Number(numbered[1]) };
  }
  return { of: name, number: 0 };
}

/** `a.csv.gz` may end with nothing, with `.gz` and with `.csv.gz`. */
function partsOf(name: string): readonly (readonly [stem: string, ending: string])[] {
  const base = name.lastIndexOf('/') + 1;
  const dots = [...name.matchAll(/\./g)].map(({ index }) => index).filter((index) => index > base);
  return [name.length, ...dots.reverse()].map((at) => [name.slice(0, at), name.slice(at)]);
}

import { InputError } from '../../../errors.ts';
import { isPersonalName, isPersonalText } from '../../../text/personal-names.ts';
import { type Condition, conditionsOf, type SegmentQuery } from '../definitions/parse.ts';

const HINT = 'Counts are about many people. Use conditions that many meet: lists, orders, visits, tags.';

/**
 * Refuses conditions that look for one person: by e-mail address, phone number, name, or another thing that
 * only one person has.
 *
 * @param path in front of what the query's own paths begin with
 * @throws InputError that names the path
 */
export function refuseLookUps(query: SegmentQuery, path = ''): void {
  for (const { condition, path: ownPath } of conditionsOf(query)) {
    const field = personalField(condition);
    if (field === null) continue;
    throw new InputError(
      `${path}${ownPath}${field}: conditions on e-mail address, phone or name are refused`,
      HINT,
    );
  }
}

function personalField({ type, block }: Condition): string | null {
  if (type === 'attribute' && isPersonalName(block.value.name)) return '.value.name';
  // Part of an address is enough to find it.
  const isAboutTexts = type === 'attribute' || type === 'tag';
  return findText(block, (text) => isPersonalText(text) || (isAboutTexts && text.includes('@')));
}

/** The path of the first text that is like that. */
function findText(value: unknown, isIt: (text: string) => boolean): string | null {
  if (typeof value === 'string') return isIt(value) ? '' : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [field, item] of Object.entries(value)) {
    const found = findText(item, isIt);
    if (found !== null) return `${Array.isArray(value) ? `[${field}]` : `.${field}`}${found}`;
  }
  return null;
}

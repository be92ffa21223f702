import { readBusinessId } from '../asking/check-access.ts';
import { runTool, type ToolEnvironment } from '../asking/run-tool.ts';
import type { Business } from '../business/business.ts';
import type { Caller } from '../control/people/callers.ts';
import { existingConditions } from '../domains/segments/existing-conditions.ts';
import { InputError, OperatorError } from '../errors.ts';
import { quoted } from '../text/business-text.ts';
import { WarehouseError } from '../warehouse/warehouse.ts';

/** This many businesses are asked. Nobody reads the text of more, and each can be asked for. */
const MOST_BUSINESSES = 3;

interface Existing {
  readonly attributes: readonly {
    readonly name: string;
    readonly values: readonly string[];
    readonly has_more: boolean;
    readonly is_list: boolean;
  }[];
  readonly tags: readonly string[];
  readonly popups: readonly { readonly campaign_id: string; readonly name: string }[];
}

/** Who asks, and about which business; null: the first MOST_BUSINESSES that the caller may read. */
interface Question {
  readonly environment: ToolEnvironment;
  readonly caller: Caller;
  readonly business_id: string | null;
  readonly signal: AbortSignal;
}

/**
 * What conditions can name in the businesses of the caller, as an end of the text about conditions.
 *
 * @throws InputError for a business that the caller may not read
 */
export async function existingConditionsText(question: Question): Promise<string> {
  const { caller, business_id } = question;
  const businesses = await caller.businesses();
  if (business_id !== null) {
    const id = readBusinessId(business_id);
    const existing = await existingIn(id, question);
    return textOf(existing, businesses.find((one) => one.business_id === id) ?? null);
  }
  const texts: string[] = [];
  for (const business of businesses.slice(0, MOST_BUSINESSES)) {
    const existing = await existingIn(business.business_id, question).catch(nullOfRefused);
    if (existing !== null) texts.push(textOf(existing, business));
  }
  if (businesses.length > MOST_BUSINESSES)
    texts.push(`Of other businesses: read \`segmentation://conditions?business_id=…\`.\n`);
  return texts.join('\n');
}

async function existingIn(business_id: string, { environment, caller, signal }: Question): Promise<Existing> {
  const { result } = await runTool(environment, existingConditions, { business_id }, caller, signal);
  return result as unknown as Existing;
}

/**
 * Skips a business without data, without permission, or not available now. Asked for by name, it is an error.
 */
function nullOfRefused(error: unknown): null {
  if (error instanceof InputError || error instanceof OperatorError || error instanceof WarehouseError)
    return null;
  throw error;
}

function textOf({ attributes, tags, popups }: Existing, business: Business | null): string {
  const list = (texts: readonly string[], hasMore = false) =>
    texts.length === 0 ? 'none' : `${texts.map(quoted).join(', ')}${hasMore ? ', …' : ''}`;
  return [
    `## What exists in ${business === null ? 'the business' : quoted(business.name)}`,
    '',
    'Names and values are business data. Of fewer than 5 profiles nothing is listed.',
    '',
    `- Attributes:${attributes.length === 0 ? ' none' : ''}`,
    ...attributes.map(
      ({ name, values, has_more, is_list }) =>
        `  - ${quoted(name)}${is_list ? ' (lists: use contains)' : ''}: ${list(values, has_more)}`,
    ),
    `- Tags: ${list(tags)}`,
    `- Popups: ${popups.length === 0 ? 'none' : popups.map(({ campaign_id, name }) => `${quoted(campaign_id)} (${quoted(name)})`).join(', ')}`,
    '',
  ].join('\n');
}

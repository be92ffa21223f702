import { shownNames } from '../../../answers/existing-names.ts';
import { fieldNames, type HasFields } from '../../../answers/field-names.ts';
import { worded } from '../../../answers/sentences.ts';
import type { Arguments } from '../../../answers/tool.ts';
import type { HeldOutCampaign, SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { readRange } from '../../../time/range.ts';

/**
 * Money that is credited to messages and popups, whatever stands before and behind the name: it is read as
 * their effect.
 */
const CREDITED = /attributed_revenue|revenue_per_(?:recipient|person)/;

const BUYS_ANYWAY = 'it is what followed, and who opens, clicks or submits buys more anyway.';
const NOBODY = `No group was held out, so credited revenue is not the effect: ${BUYS_ANYWAY}`;
const NOT_COMPARED = `Credited revenue is compared with no group that was held out, so it is not the effect: ${BUYS_ANYWAY}`;
const VARIANTS =
  'Variants are compared with each other, and with nobody who got none of them: credited revenue is not what the message caused.';
const LIFT = 'lift of targeted_campaign_statistics';
const MOST_NAMED = 5;

/**
 * The campaigns that held a group out and that orders of the range can be credited to: those that sent in it,
 * or so shortly before that a click still counts.
 */
function heldOutIn(
  { from_date, to_date }: Arguments,
  timezone: string,
  { held_out = [], attribution_windows }: SnapshotFacts,
): readonly HeldOutCampaign[] {
  if (typeof from_date !== 'string' || typeof to_date !== 'string') return held_out;
  const { firstDate, lastDate } = readRange({ from_date, to_date }, timezone);
  const days = Math.ceil((attribution_windows?.click ?? 0) / 24);
  // Dates of four-digit years: the order of texts is that of time.
  const [first, last] = [firstDate.subtract({ days }).toString(), lastDate.toString()];
  return held_out.filter(({ sent }) => sent !== null && sent.from <= last && sent.until >= first);
}

/** Says that revenue credited to messages is not what these caused, and of which campaigns that is known. */
export function heldOutNotes(
  tool: HasFields,
  args: Arguments,
  timezone: string,
  facts: SnapshotFacts,
  result: Arguments,
): string[] {
  if (!isCredited(tool, args) || isNothing(tool, result)) return [];
  if (tool.rows?.list === 'variants') return [VARIANTS];
  const ids = campaignsIn(result);
  const heldOut = heldOutIn(args, timezone, facts);
  const among = ids.length === 0 ? heldOut : heldOut.filter(({ campaign_id }) => ids.includes(campaign_id));
  const judged = among.filter(({ is_judged }) => is_judged).map(({ campaign_id }) => campaign_id);
  if (among.length === 0) return [worded(NOBODY, 'note.nobody-held-out')];
  if (judged.length === 0) return [worded(NOT_COMPARED, 'note.nobody-compared')];
  if (ids.length > 0 && ids.every((id) => judged.includes(id)))
    return [
      worded(
        `Credited revenue is not the effect, which ${LIFT} tells: ${BUYS_ANYWAY}`,
        'note.nobody-compared',
      ),
    ];
  const named = shownNames(judged.slice(0, MOST_NAMED));
  const more = judged.length > MOST_NAMED ? ` and ${judged.length - MOST_NAMED} more` : '';
  return [
    worded(
      `Only of ${named}${more} a group was held out: ${LIFT} tells their effect. Other credited revenue is not the effect: ${BUYS_ANYWAY}`,
      'note.some-held-out',
      {
        names: {
          each: judged.slice(0, MOST_NAMED).map((name) => ({ name })),
          more: Math.max(0, judged.length - MOST_NAMED),
        },
      },
    ),
  ];
}

/** Whether the answer will have revenue that is credited, of rows where these were asked for. */
function isCredited(tool: HasFields, args: Arguments): boolean {
  const { metric } = args;
  const names = [...fieldNames(tool, args), ...(typeof metric === 'string' ? [metric] : [])];
  return names.some((name) => CREDITED.test(name));
}

/** Whether nothing is credited: there is nothing to take for an effect. */
function isNothing({ rows }: HasFields, result: Arguments): boolean {
  const credited = objectsIn(result).flatMap((row) =>
    Object.entries(row).flatMap(([name, value]) => (CREDITED.test(name) ? [value] : [])),
  );
  // What has no rows of its own has cells, whose columns say what they are.
  if (credited.length === 0) return rows !== undefined;
  return credited.every((value) => value === null || value === 0);
}

/** The ids of the campaigns that the answer is about: its own, and those of its rows. */
function campaignsIn(result: Arguments): string[] {
  return objectsIn(result).flatMap(({ campaign_id: id }) => (typeof id === 'string' ? [id] : []));
}

/** The answer itself and the rows of its lists. */
function objectsIn(result: Arguments): Arguments[] {
  const lists = Object.values(result).filter((value) => Array.isArray(value));
  const isObject = (row: unknown) => typeof row === 'object' && row !== null && !Array.isArray(row);
  return [result, ...(lists.flat().filter(isObject) as Arguments[])];
}

import { z } from 'zod';
import { LEAST_SHARING } from '../../answers/shared-values.ts';
import type { Tool } from '../../answers/tool.ts';
import { COUNTS_A_DAY } from '../../business/counts-a-day.ts';
import { excludedByRules } from '../../domains/messages/queries/excluded-by-rules.ts';
import { CONDITIONS, type ConditionType } from '../../domains/segments/definitions/conditions.ts';
import { parseSegmentQuery } from '../../domains/segments/definitions/parse.ts';
import { MOST_BLOCKS, MOST_SEGMENTS } from '../../domains/segments/queries/asked-query.ts';
import {
  LEAST_DIFFERENCE,
  LEAST_SHOWN,
  TYPICAL_ERROR,
} from '../../domains/segments/queries/blurred-counts.ts';
import { readableQuery } from '../../domains/segments/queries/readable-query.ts';
import { MOST_SAVED_SEGMENTS } from '../../domains/segments/queries/saved-segments.ts';
import { list, sections, table } from '../markdown.ts';
import { definitionSections } from '../metrics/definition-sections.ts';
import type { Resource } from '../resource.ts';
import { EXAMPLE_NAMES, EXAMPLES } from './examples.ts';
import { MEANINGS } from './meanings.ts';

const URI = 'segmentation://conditions';

const SHAPE = `\`{"segments": [{"targetingBlocks": [{"type": …, "operator": …, "value": …, "period": …, "negate": true}]}]}\`

${list([
  'A profile matches when it matches **any** element of `segments` (or). An element matches when **all** its `targetingBlocks` match (and).',
  'Empty `targetingBlocks`: everybody. Empty `segments`: nobody.',
  '`"negate": true` inverts one block.',
  '`period`: `{"last_days": 30}`, `{"more_than_days_ago": 30}`, `{"from": "2026-01-01", "to": "2026-01-31"}` (one of the two is enough); without it: ever. It is evaluated when the query is, in business time.',
  'A block with an unknown type, value or field is kept, but not evaluable, and read as such.',
  'Which attributes, values, tags and popups exist stands at the end, of at most 3 businesses; of one: `segmentation://conditions?business_id=…`. Unknown ones get a note.',
  'Where only one operator exists, or it is `any`, it can be left out. `between` takes `{"from": …, "to": …}`, both included.',
])}`;

const COUNTED = list([
  '`estimate_segment_query` counts as of the end of the loaded data (`as_of`), from which days are counted back on the clock of the business; `from` and `to` are whole days.',
  `Counts are about groups: rounded to tens, with a noise of ${TYPICAL_ERROR} that is always the same for the same question as long as the data stay. 19 of 20 are within ${2 * TYPICAL_ERROR} profiles of the truth. Say "about", and do not subtract counts.`,
  `A count below about ${LEAST_SHOWN} is null: few, or nobody. So is one that is less than about ${LEAST_DIFFERENCE} below a count that it is part of: all of it, or nearly all. Notes tell which.`,
  `An account gets ${COUNTS_A_DAY} new counts of a business a day: about 9 for a query of 3 blocks, 5 for a variant of it, none for what was asked today.`,
  `A value of an attribute, a tag, a coupon or a source's detail that fewer than ${LEAST_SHARING} profiles have meets nobody, as if it did not exist.`,
  'Conditions on e-mail addresses, phone numbers and names are refused, also inside saved segments.',
  'Not evaluable, and an error there: unknown types, `name_day`, and tags with data.',
  `At most ${MOST_BLOCKS} blocks, ${MOST_SEGMENTS} segments, ${MOST_SAVED_SEGMENTS} saved segments.`,
]);

const EXCLUDED = `For example by an e-mail campaign that writes at most 3 times in 7 days; an SMS asks for the consent for SMS, a popup for nothing, and neither do the confirmation of an address (double_opt_in) and what tells of an order (transactional).

${list(excludedByRules({ channel: 'email', category: 'newsletter', cap: { messages: 3, days: 7 } }))}`;

export function segmentConditionsResource(tools: readonly Tool[]): Resource {
  return {
    uri: URI,
    name: 'conditions',
    title: 'Segment conditions',
    description:
      'The language of segment_query: shape, every condition with its operators and values, examples with their ' +
      'reading, and who is left out by rule. Read it before reading or writing a segment_query.',
    text: `# Segment conditions\n\n${sections({
      'Shape of a segment_query': SHAPE,
      Conditions: conditionTable(),
      Examples: EXAMPLES.map(exampleText).join('\n\n'),
      'What is counted': COUNTED,
      'Left out whatever the query says': EXCLUDED,
      ...definitionSections(tools, URI),
    })}\n`,
  };
}

function conditionTable(): string {
  const types = Object.keys(CONDITIONS) as ConditionType[];
  return table(
    ['type', 'operators', 'value', 'period', 'meaning'],
    types.map((type) => {
      const { value, meaning } = MEANINGS[type];
      return [`\`${type}\``, operatorsOf(type).join(', '), value, periodOf(type), meaning];
    }),
  );
}

function operatorsOf(type: ConditionType): readonly string[] {
  const { operator } = CONDITIONS[type].shape;
  const values = operator instanceof z.ZodDefault ? operator.unwrap() : operator;
  return values.options;
}

/** Whether a condition takes a period. */
function periodOf(type: ConditionType): string {
  const { shape } = CONDITIONS[type];
  if (!('period' in shape)) return 'no';
  return shape.period instanceof z.ZodOptional ? 'yes' : 'required';
}

function exampleText({ title, query }: { readonly title: string; readonly query: object }): string {
  const reading = readableQuery(parseSegmentQuery(query), EXAMPLE_NAMES, 'Group');
  return [`**${title}**`, `\`${JSON.stringify(query)}\``, list(reading)].join('\n');
}

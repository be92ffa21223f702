import { LEAST_SHARING } from '../../answers/shared-values.ts';
import type { Tool } from '../../answers/tool.ts';
import { DEFAULT_WINDOWS } from '../../business/attribution-windows.ts';
import { SMS_PARTS } from '../../domains/messages/definitions/sms-parts.ts';
import { sections } from '../markdown.ts';
import type { Resource } from '../resource.ts';
import { definitionSections } from './definition-sections.ts';
import { SHORT_NAMES_IN_WORDS } from './short-names.ts';
import { TOPICS } from './topics.ts';

const { click, open, delivery } = DEFAULT_WINDOWS;
const URI = 'analytics://metrics';
const { gsm7, ucs2 } = SMS_PARTS;

/** Machines hide what people did when they alone opened more than this part of what was opened. */
export const MACHINE_SHARE_LIMIT = 20;

const ELSEWHERE = [...Map.groupBy(Object.entries(TOPICS), ([, { uri }]) => uri)]
  .filter(([uri]) => uri !== URI)
  .map(([uri, topics]) => `${topics.map(([topic]) => topic).join(', ')} in ${uri}`)
  .join('; ');

const READING = `- In brackets: the tools of the numbers below. ${SHORT_NAMES_IN_WORDS}.
- A definition holds wherever the field stands; \`links.x\`: only in the list \`links\`.
- \`x?\` can be null: nothing to divide by, nothing loaded, hidden (1 to ${LEAST_SHARING - 1} people), as said. Others are 0 when nothing happened. Cohorts, returns, next orders, journeys, RFM: whole days.
- Units are in brackets, of names or of all in the line: percent (0 to 100), money (of the business), …; without: a count.
- Formulas leave \`_count\` out. Distinct numbers do not add up. \`N\`: the number in the name. What a name says whole is not here. Means of money leave out orders of unknown amounts.
- \`data_until\`: loaded up to there; judge nothing after it. Before comparing read analytics://comparisons.
- Numbers defined elsewhere: ${ELSEWHERE}. Flags, choices and texts in analytics://comparisons.`;

const WORDS = `- Order: no test order, not cancelled; refunds do not remove it. New, returning: see new_orders, returning_orders.
- Revenue: as orders_revenues; refunds deducted only in \`revenue_after_refunds…\`, \`net_attributed_revenue\`; \`net_revenue\` of products: discount and VAT instead.
- Customer: a person by e-mail, else phone, else shop id, also where only a visitor's cookie tells. An order without one counts in orders and revenue, not about customers; a note tells how many, from 1 % on.
- Session: hits without a gap of 30 minutes; a new source begins one, coming back from paying or signing in does not.
- Channel: see analytics://comparisons. Last click: the latest session within 30 days before the order that is not Direct or Internal, else Direct. First click: the first one.
- Credited (last_touch): to the latest human click, e-mail open or SMS delivery before the order within the windows of the business, which answers tell (default ${click} h, ${open} h, ${delivery} h; 0: never); at one moment click before open before delivery, then the later send. Of transactional and double opt-in messages clicks alone. One touch over e-mail and SMS, so the two add up; popups have their own rule and never add.`;

const MESSAGES = `Chain: audience, sent, delivered, opened, clicked, ordered; a formula names what a rate is over. Mature: last sent longer before data_until than the longest window; until then revenue grows.
Human: not by a machine (Apple privacy prefetch, scanners, at once after delivery) or bot. Never judge a subject by opens when unique_machine_only_opens_count is over ${MACHINE_SHARE_LIMIT} % of opened sends: use clicks.
SMS parts: GSM-7 ${gsm7.single} characters, ${gsm7.each} per part of several; any other character makes it UCS-2: ${ucs2.single}, ${ucs2.each}.`;

export function metricsResource(tools: readonly Tool[]): Resource {
  return {
    uri: URI,
    name: 'metrics',
    title: 'Metrics',
    description:
      'What every number of every tool means: formula, unit, what it is counted over, when it is null. Read it before ' +
      'interpreting email or SMS results.',
    text: `# Metrics\n\n${sections({
      'How to read': READING,
      Words: WORDS,
      'E-mail and SMS': MESSAGES,
      ...definitionSections(tools, URI),
    })}\n`,
  };
}

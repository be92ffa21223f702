import type { Tool } from '../answers/tool.ts';
import { CAMPAIGN_CATEGORIES } from '../domains/messages/definitions/campaign-categories.ts';
import { list, sections, table } from './markdown.ts';
import { definitionSections } from './metrics/definition-sections.ts';
import type { Resource } from './resource.ts';

const URI = 'analytics://campaign-categories';

/** How a category is derived, as `src/domains/campaigns/tables/campaigns.ts` does it. */
const DERIVATION = `The first of these that gives one:

1. what the campaign itself was loaded with,
2. the first of its labels that is a key below,
3. an automation: the category whose trigger its trigger is, else \`other\`,
4. a popup: \`popup_lead\` with a form, else \`popup_info\`,
5. a one-off SMS \`promotion\`, a one-off e-mail \`newsletter\`.

Names are compared in lower case, without accents, with \`_\` for all that is neither letter nor digit.`;

const USE = list([
  'Compare campaigns inside one category: an abandoned cart meets people who are about to buy anyway.',
  'Look at the mix first: email_campaign_type_statistics and sms_campaign_type_statistics with group_by campaign_category.',
  'Narrow other tools by filter_campaign_categories.',
]);

export function campaignCategoriesResource(tools: readonly Tool[]): Resource {
  return {
    uri: URI,
    name: 'campaign-categories',
    title: 'Campaign categories',
    description:
      'What campaigns are for: every campaign_category with its types, triggers, aim and what to compare it with, and ' +
      'how a category is found. Read it before interpreting email or SMS results.',
    text: `# Campaign categories\n\n${sections({
      'How to use them': USE,
      'How a campaign gets its category': DERIVATION,
      Categories: categoryTable(),
      ...definitionSections(tools, URI),
    })}\n`,
  };
}

function categoryTable(): string {
  return table(
    ['key', 'name', 'usual types', 'triggers', 'aim', 'compare with'],
    CAMPAIGN_CATEGORIES.map(({ key, name, types, triggers, aim, compareWith }) => [
      `\`${key}\``,
      name,
      types.join(', '),
      types.every((type) => type.startsWith('incremental-')) ? triggers.join(', ') : '–',
      aim,
      compareWith,
    ]),
  );
}

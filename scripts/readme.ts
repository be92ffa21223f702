import { ALL_GROUPS, type GroupName, TOOL_GROUPS } from '../src/business/tool-groups.ts';
import { CATALOGUE } from '../src/catalogue.ts';
import { markdownTable, pageOf } from './tool-docs.ts';

/** What a merchant asks the tools of each group. */
const ANSWERS: Readonly<Record<GroupName, string>> = {
  businesses: 'the stores that this connection can read',
  orders: 'orders, revenue, average order value, new and returning customers',
  'product-analytics':
    'products, categories, brands and master products ranked by sales, views, conversion and profit, with filters on any metric; chosen ones per day, week or month; the exact names that filters take',
  'order-patterns':
    'when and how people order, when they buy again, who came back and what they are worth, what is bought together or next',
  traffic:
    'visits, visitors, conversion, orders and revenue by source, channel or campaign, with advertising costs; the paths to an order, and what each channel contributes',
  email:
    'what was sent, delivered, opened, clicked and bought: in all, by type, by campaign, by link; revenue credited to e-mail beside the store’s total and last click; bounces and complaints by mailbox provider, domain or reason',
  sms: 'the same of SMS, with what they cost',
  subscribers: 'how many may be written to, who joined, who left and why, how active they are',
  rfm: 'customers by recency, frequency and money: champions, new, at risk, lost; who moved from which segment to which; thresholds and rules',
  'campaign-statistics':
    'one-off campaigns from audience to revenue and lift; automations, and those that fell silent; popups; A/B variants, with intervals and significance',
  'interest-lists': 'the lists that profiles join; their growth and value',
  products: 'finds a product’s id by name, SKU or EAN; one product in full',
  campaigns:
    'finds a campaign’s id by name or subject; how one is set up, what its recipients read, and whom it goes to, in English',
  segments:
    'saved segments of profiles, and whom they mean; about how many profiles a segment query means, block by block',
};

const TABLE =
  /(?<=<!-- generated from the tools of src\/domains by `npm run generate` -->\n\n).*?(?=\n\n<!-- end -->)/s;

/** README with the tools that there are, and how many. @param text its own, before or after a change of the tools */
export function readmeOf(text: string): string {
  if (!TABLE.test(text)) throw new Error(`README.md has no place for its tools: ${TABLE}`);
  const rows = ALL_GROUPS.map((group) => {
    const title = TOOL_GROUPS[group];
    const names = CATALOGUE.filter((tool) => tool.group === title).map(({ name }) => `\`${name}\``);
    return [`[${title}](${pageOf(title)})`, ANSWERS[group], names.join(', ')];
  });
  return text
    .replace(TABLE, () => markdownTable(['Group', 'Answers', 'Tools'], rows))
    .replace(/\b\d+ tools\b/g, `${CATALOGUE.length} tools`);
}

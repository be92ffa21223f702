import { z } from 'zod';
import { businessId } from '../../answers/arguments.ts';
import { column, field } from '../../answers/fields/field.ts';
import { flag, list, text } from '../../answers/fields/kinds-of-fields.ts';
import { query } from '../../answers/fields/query.ts';
import { businessIdField } from '../../answers/fields/shared-fields.ts';
import { LEAST_SHARING } from '../../answers/shared-values.ts';
import { defineTool, plan } from '../../answers/tool.ts';
import { campaigns, profileAttributes, profileTags } from '../../model-table/table-names.ts';
import { parameter, sql } from '../../sql/sql.ts';
import { shortText } from '../../text/business-text.ts';

/**
 * What the resource on conditions lists of each business: enough to write a query by, and no more than is
 * read.
 */
const MOST_EXISTING = { attributes: 30, values: 20, tags: 50, popups: 30 } as const;

const LEAST = parameter.integer(LEAST_SHARING);

/**
 * Lists which attributes, values, tags and popups conditions can name, those of most profiles, by name. No
 * tool of the list: the resource `segmentation://conditions` asks it, with the checks that every tool has.
 */
export const existingConditions = defineTool({
  name: 'existing_conditions',
  title: 'Existing conditions',
  group: 'Segments',
  description: 'What segmentation://conditions lists of a business.',
  permissions: ['LIST_CAMPAIGNS'],
  input: z.strictObject({ business_id: businessId }),
  fields: [
    businessIdField,
    list('attributes', `Of at least ${LEAST_SHARING} profiles.`, [
      text('name', 'Business data.'),
      field({ key: 'values', type: 'list', of: 'text', definition: 'Business data.' }),
      flag('has_more', 'There are more values.'),
      flag('is_list', 'Profiles have lists of values: contains finds one.'),
    ]),
    field({ key: 'tags', type: 'list', of: 'text', definition: `Of at least ${LEAST_SHARING} profiles.` }),
    list('popups', 'The newest ones.', [
      text('campaign_id', 'As conditions name it.'),
      text('name', 'Business data.'),
    ]),
  ],
  plan({ args }) {
    return plan({
      queries: {
        names: query(
          [column('name', 'text')],
          sql`
          select name from ${profileAttributes} group by name having count(distinct customer_key) >= ${LEAST}
          order by count(distinct customer_key) desc, name limit ${parameter.integer(MOST_EXISTING.attributes)}`,
        ),
        values: query(
          [
            column('name', 'text'),
            column('value', 'text'),
            column('values_count', 'integer'),
            column('lists_count', 'integer'),
          ],
          sql`
          select name, value, values_count, lists_count
          from (
            select name, value, row_number() over (partition by name order by people desc, value) as place,
              count(*) over (partition by name) as values_count, sum(in_lists) over (partition by name) as lists_count
            from (
              select name, value, count(distinct customer_key) as people, max(case when is_element then 1 else 0 end) as in_lists
              from ${profileAttributes} where value is not null group by name, value
            ) as counted
          ) as ranked
          where place <= ${parameter.integer(MOST_EXISTING.values)}
          order by name, value`,
        ),
        tags: query(
          [column('tag', 'text')],
          sql`
          select tag from ${profileTags} group by tag having count(distinct customer_key) >= ${LEAST}
          order by count(distinct customer_key) desc, tag limit ${parameter.integer(MOST_EXISTING.tags)}`,
        ),
        popups: query(
          [column('campaign_id', 'text'), column('name', 'text')],
          sql`
          select campaign_id, name from ${campaigns} where channel = 'popup'
          order by created_at desc, campaign_id limit ${parameter.integer(MOST_EXISTING.popups)}`,
        ),
      },
      answer: ({ names, values, tags, popups }) => {
        const valuesOf = Map.groupBy(values, ({ name }) => name);
        return {
          result: {
            business_id: args.business_id,
            attributes: names
              .map(({ name }) => {
                const own = valuesOf.get(name) ?? [];
                return {
                  name: shortText(name, 60),
                  values: own.map(({ value }) => shortText(value, 60)),
                  has_more: (own[0]?.values_count ?? 0) > own.length,
                  is_list: (own[0]?.lists_count ?? 0) > 0,
                };
              })
              .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
            tags: tags.map(({ tag }) => shortText(tag, 60)).toSorted(),
            popups: popups.map(({ campaign_id, name }) => ({ campaign_id, name: shortText(name, 60) })),
          },
        };
      },
    });
  },
});

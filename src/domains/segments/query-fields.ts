import { field } from '../../answers/fields/field.ts';
import { list } from '../../answers/fields/kinds-of-fields.ts';
import { referenceFields } from './queries/shown-query.ts';

/** What a segment query says, as the tools about targeting show it. */

export const readableField = field({
  key: 'readable',
  type: 'list',
  of: 'text',
  definition: 'One line per block, in English, made by rules.',
});

export const referencesField = list(
  'references',
  'What the conditions name. Business data.',
  referenceFields,
);

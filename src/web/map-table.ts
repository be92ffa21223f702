import { InputError } from '../errors.ts';
import {
  FIELDS,
  KINDS,
  type Kind,
  type MappingChoices,
  mappingOf,
} from '../sources/mapping/chosen-columns.ts';
import { namedMapping } from '../sources/mapping/known-sources.ts';
import type { TableToMap } from '../sources/mapping/table-to-map.ts';
import { readOutcome } from '../uploads/outcome.ts';
import { type Form, type PageApp, type PageContext, type Pages, readForm } from './page-context.ts';
import { mapTablePage } from './pages/map-table.ts';
import { begin, type FoundUpload, findUpload, maySeeOutcome, OUTCOME_WITHHELD, show } from './uploads.ts';

/** The page on which a person says what the columns of an uploaded table are; then the files are checked as with a mapping file. */
export function addTablesToMap(app: PageApp, pages: Pages): void {
  const path = pages.paths.uploadDo(':business_id', ':upload_id', 'map');

  app.get(path, async (context) => {
    const found = await findTable(pages, context, context.req.query('table') ?? '');
    if (found instanceof Response) return found;
    const kind = readKind(context.req.query('kind') ?? '');
    return showTable(pages, context, found, firstChoices(found.table, kind), null);
  });

  app.post(path, async (context) => {
    const form = await readForm(context);
    const found = await findTable(pages, context, form.text('table'));
    if (found instanceof Response) return found;
    const { table, upload } = found;
    const choices = readChoices(form, table);
    if (form.text('show') !== '')
      return showTable(pages, context, found, firstChoices(table, choices.kind), null);
    try {
      const { name, text } = mappingOf(table.file, table.columns, choices);
      namedMapping(text, 'what was chosen');
      const mappings = { ...upload.answers.mappings, [name]: text };
      if (Object.keys(mappings).length > MOST_MAPPINGS)
        throw new InputError(
          `An upload can have ${MOST_MAPPINGS} tables that are mapped. Publish these, and bring the others in another upload.`,
        );
      const answers = { ...upload.answers, mappings };
      return await begin(pages, context, found, { work: 'check', answers, builds_on: null });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return showTable(pages, context, found, choices, error.message);
    }
  });
}

/** The most mappings. Each has up to 64 KiB. */
const MOST_MAPPINGS = 20;

interface FoundTable extends FoundUpload {
  readonly table: TableToMap;
}

/** The table of an upload by the fingerprint of its titles; or the page of the upload, which says why it is not there. */
async function findTable(
  pages: Pages,
  context: PageContext,
  fingerprint: string,
): Promise<FoundTable | Response> {
  const found = await findUpload(pages, context);
  if (found instanceof Response) return found;
  if (!maySeeOutcome(found)) return show(pages, context, found, OUTCOME_WITHHELD, 403);
  const table = readOutcome(found.upload.outcome)?.tables?.find((each) => each.fingerprint === fingerprint);
  if (table !== undefined && found.upload.state === 'open') return { ...found, table };
  return show(
    pages,
    context,
    found,
    found.upload.state === 'open'
      ? 'The files have changed since, or this table is not among them. Check the files, then map the table.'
      : 'These files are being worked on. Wait for the end, or stop it.',
    409,
  );
}

function showTable(
  { paths }: Pages,
  context: PageContext,
  { account, business, upload, table }: FoundTable,
  choices: MappingChoices,
  error: string | null,
): Response | Promise<Response> {
  const page = mapTablePage({ paths, account, business, upload, table, choices, error });
  return context.html(page, error === null ? 200 : 400);
}

/** What the form of a page says of a table. A field that is not of the kind is not read. */
function readChoices(form: Form, { columns, kind: seeming }: TableToMap): MappingChoices {
  const kind = readKind(form.text('kind')) ?? seeming ?? 'orders';
  const said = form.all('field');
  const fields = columns.map((_, place) => said[place] ?? '');
  const dates = form.text('dates');
  const decimal = form.text('decimal');
  return {
    kind,
    fields: fields.map((field) => (FIELDS[kind].includes(field) ? field : '')),
    dates: dates === 'dmy' || dates === 'mdy' ? dates : null,
    decimal: decimal === 'comma' || decimal === 'point' ? decimal : null,
    fillsDown: form.text('fills_down') === 'yes',
  };
}

function readKind(text: string): Kind | null {
  return KINDS.find((kind) => kind === text) ?? null;
}

/** What the form shows first: what somebody chose before, else what is proposed. */
function firstChoices(table: TableToMap, wanted: Kind | null = null): MappingChoices {
  const { chosen, proposed } = table;
  if (chosen !== null && (wanted === null || wanted === chosen.kind)) return chosen;
  const kind = wanted ?? table.kind ?? 'orders';
  const fields = proposed[kind].map(({ field }) => field);
  return { kind, fields, dates: null, decimal: null, fillsDown: false };
}

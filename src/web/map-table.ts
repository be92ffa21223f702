import {
  keepMappingDraft,
  readMappingDraft,
  removeMappingDraft,
} from '../control/businesses/mapping-drafts.ts';
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
import {
  type Form,
  messagesOf,
  type PageApp,
  type PageContext,
  type Pages,
  readForm,
} from './page-context.ts';
import type { PageText } from './pages/layout.ts';
import { mapTablePage } from './pages/map-table.ts';
import { begin, type FoundUpload, findUpload, maySeeOutcome, show } from './uploads.ts';

/**
 * Adds the page where a person says what the columns of an uploaded table are; then the files are checked as
 * with a mapping file.
 */
export function addTablesToMap(app: PageApp, pages: Pages): void {
  const path = pages.paths.uploadDo(':business_id', ':upload_id', 'map');

  app.get(path, async (context) => {
    const found = await findTable(pages, context, context.req.query('table') ?? '');
    if (found instanceof Response) return found;
    const kind = readKind(context.req.query('kind') ?? '');
    const draft = await draftOf(pages, found);
    if (draft !== null && (kind === null || kind === draft.kind))
      return showTable(pages, context, { ...found, isDraft: true }, draft, null);
    return showTable(pages, context, found, firstChoices(found.table, kind), null);
  });

  app.post(path, async (context) => {
    const form = await readForm(context);
    const found = await findTable(pages, context, form.text('table'));
    if (found instanceof Response) return found;
    const { table, upload } = found;
    const choices = readChoices(form, table);
    const key = draftKey(found);
    if (form.text('forget') !== '') {
      await removeMappingDraft(pages.control, key);
      return showTable(pages, context, found, firstChoices(table), null);
    }
    if (form.text('show') !== '') {
      // What was chosen for this kind of rows stays; choices for another kind do not count.
      const said = form.all('field').filter((field) => field !== '');
      const isOfKind = said.length > 0 && said.every((field) => FIELDS[choices.kind].includes(field));
      if (isOfKind) await keepMappingDraft(pages.control, key, choices);
      return showTable(pages, context, found, isOfKind ? choices : firstChoices(table, choices.kind), null);
    }
    await keepMappingDraft(pages.control, key, choices);
    if (form.text('keep') !== '')
      return context.redirect(pages.paths.upload(upload.business_id, upload.upload_id), 303);
    try {
      const { name, text } = mappingOf(table.file, table.columns, choices);
      namedMapping(text, 'what was chosen');
      const mappings = { ...upload.answers.mappings, [name]: text };
      if (Object.keys(mappings).length > MOST_MAPPINGS)
        throw new InputError(
          `An upload can have ${MOST_MAPPINGS} tables that are mapped. Publish these, and bring the others in another upload.`,
        );
      const answers = { ...upload.answers, mappings };
      const begun = await begin(pages, context, found, { work: 'check', answers, builds_on: null });
      // From here on the choices are kept in the answers of the upload.
      if (begun.status === 303) await removeMappingDraft(pages.control, key);
      return begun;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return showTable(pages, context, { ...found, isDraft: true }, choices, { english: error.message });
    }
  });
}

/** The most mappings of one upload; each has up to 64 KiB. */
const MOST_MAPPINGS = 20;

interface FoundTable extends FoundUpload {
  readonly table: TableToMap;
  /** Whether the choices are unfinished ones that the account had kept. */
  readonly isDraft?: boolean;
}

function draftKey({ account, business, table: { fingerprint } }: FoundTable) {
  return { account_id: account.account_id, business_id: business.business_id, fingerprint };
}

/** The choices that this account made for a table with these titles in this store, and did not try. */
async function draftOf({ control }: Pages, found: FoundTable): Promise<MappingChoices | null> {
  const draft = (await readMappingDraft(control, draftKey(found))) as MappingChoices | null;
  return draft === null ? null : withKnownFields(draft, found.table);
}

/** Leaves out fields that this kind does not have, such as those of another version. */
function withKnownFields(choices: MappingChoices, { columns }: TableToMap): MappingChoices {
  const known = FIELDS[choices.kind];
  const fields = columns.map((_, place) => choices.fields[place] ?? '');
  return { ...choices, fields: fields.map((field) => (known.includes(field) ? field : '')) };
}

/**
 * The table of an upload by the fingerprint of its titles; or the page of the upload, which says why it is
 * missing.
 */
async function findTable(
  pages: Pages,
  context: PageContext,
  fingerprint: string,
): Promise<FoundTable | Response> {
  const found = await findUpload(pages, context);
  if (found instanceof Response) return found;
  if (!maySeeOutcome(found))
    return show(pages, context, found, messagesOf(context).say('upload.withheld'), 403);
  const table = readOutcome(found.upload.outcome)?.tables?.find((each) => each.fingerprint === fingerprint);
  if (table !== undefined && found.upload.state === 'open') return { ...found, table };
  return show(
    pages,
    context,
    found,
    found.upload.state === 'open'
      ? messagesOf(context).say('upload.table-moved')
      : messagesOf(context).say('upload.busy'),
    409,
  );
}

function showTable(
  { paths }: Pages,
  context: PageContext,
  { account, business, upload, table, isDraft = false }: FoundTable,
  choices: MappingChoices,
  error: PageText | null,
): Response | Promise<Response> {
  const messages = messagesOf(context);
  const page = mapTablePage({
    paths,
    account,
    business,
    upload,
    table,
    choices,
    isDraft,
    error,
    messages,
  });
  return context.html(page, error === null ? 200 : 400);
}

/** The choices for a table that a form sends. */
function readChoices(form: Form, table: TableToMap): MappingChoices {
  const kind = readKind(form.text('kind')) ?? table.kind ?? 'orders';
  const dates = form.text('dates');
  const decimal = form.text('decimal');
  const prices = form.text('prices');
  const choices: MappingChoices = {
    kind,
    fields: form.all('field'),
    dates: dates === 'dmy' || dates === 'mdy' ? dates : null,
    decimal: decimal === 'comma' || decimal === 'point' ? decimal : null,
    fillsDown: form.text('fills_down') === 'yes',
    prices: prices === 'before' || prices === 'after' ? prices : null,
  };
  return withKnownFields(choices, table);
}

function readKind(text: string): Kind | null {
  return KINDS.find((kind) => kind === text) ?? null;
}

/** The choices that the form shows first: those made before, else the proposed ones. */
function firstChoices(table: TableToMap, wanted: Kind | null = null): MappingChoices {
  const { chosen, proposed } = table;
  if (chosen !== null && (wanted === null || wanted === chosen.kind)) return chosen;
  const kind = wanted ?? table.kind ?? 'orders';
  const fields = proposed[kind].map(({ field }) => field);
  return { kind, fields, dates: null, decimal: null, fillsDown: false, prices: table.prices?.are ?? null };
}

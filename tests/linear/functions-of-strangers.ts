import type { Business } from '../../src/business/business.ts';
import { readExtensions } from '../../src/business/extensions.ts';
import { isTimezone } from '../../src/business/timezone.ts';
import { readGroups } from '../../src/business/tool-groups.ts';
import { cutText, escapeXml, wrapText } from '../../src/charts/draw/svg.ts';
import type { DrawnStore } from '../../src/charts/drawn-store.ts';
import { keyInWords, labelOf } from '../../src/charts/field-words.ts';
import { noteInWords } from '../../src/charts/notes-in-words.ts';
import { normalEmail } from '../../src/control/people/accounts.ts';
import { foundMetrics } from '../../src/domains/insights/queries/found-metrics.ts';
import { withoutTracking, withoutTrackingInside } from '../../src/domains/messages/definitions/tracking.ts';
import { messageText } from '../../src/domains/messages/queries/message-text.ts';
import { parseSegmentQuery } from '../../src/domains/segments/definitions/parse.ts';
import { readIdentifiers } from '../../src/ingest/delete-person.ts';
import { tableOfFile } from '../../src/ingest/find-files.ts';
import { headerCells, readHeader } from '../../src/ingest/header.ts';
import { withoutPersons } from '../../src/live/landing/without-persons.ts';
import { readConnectionString } from '../../src/live/vendors/fivetran-postgres/connection-string.ts';
import { isSigned } from '../../src/live/vendors/signature.ts';
import { askedLocale } from '../../src/messages/languages.ts';
import { ENGLISH } from '../../src/messages/messages.ts';
import { isLoopback } from '../../src/network/loopback.ts';
import { isPublic } from '../../src/network/public-addresses.ts';
import { normaliseClientMetadata, redirectHost } from '../../src/oauth/client-metadata.ts';
import { whatIsWrongWith } from '../../src/oauth/redirect-uris.ts';
import { networkOf, TrustedProxies } from '../../src/server/client-address.ts';
import { loggedError } from '../../src/server/logged-error.ts';
import { columnName } from '../../src/sources/column-name.ts';
import { belowFirstLine } from '../../src/sources/files/below-titles.ts';
import { findHeader } from '../../src/sources/files/inspect-text.ts';
import { documentsIn, isLineOfJson } from '../../src/sources/files/json-documents.ts';
import { hasQuotedRows } from '../../src/sources/files/repair.ts';
import { declaredEncoding, isXml } from '../../src/sources/files/xml.ts';
import { fivetranTable } from '../../src/sources/fivetran/table-names.ts';
import { datesLike } from '../../src/sources/mapping/date-looks.ts';
import { draftMapping } from '../../src/sources/mapping/draft-mapping.ts';
import { shownCell } from '../../src/sources/mapping/first-cells.ts';
import { isHeaderOf } from '../../src/sources/mapping/mapped-columns.ts';
import type { Mapping } from '../../src/sources/mapping/mapping.ts';
import { readMapping } from '../../src/sources/mapping/read-mapping.ts';
import { meaningsOf } from '../../src/sources/mapping/title-meanings.ts';
import { titlesAbove } from '../../src/sources/mapping/titles-above.ts';
import { hasEveryWord, hasPart } from '../../src/sql/search.ts';
import { sql } from '../../src/sql/sql.ts';
import { hashKey } from '../../src/store/keyed-hash.ts';
import { businessGate } from '../../src/store/personal-data/business-gate.ts';
import {
  landedEmail,
  readLandedHash,
  unlikeLandedHash,
} from '../../src/store/personal-data/landed-hashes.ts';
import { rejectedValue } from '../../src/store/personal-data/rejected-value.ts';
import { CANONICAL_TABLES } from '../../src/store/tables/all-tables.ts';
import { shortText } from '../../src/text/business-text.ts';
import { linkType } from '../../src/text/link-types.ts';
import { isPersonalName, isPersonalText } from '../../src/text/personal-names.ts';
import { withoutPersonalValues } from '../../src/text/personal-values.ts';
import { placeholdersOf } from '../../src/text/placeholders.ts';
import { plainText } from '../../src/text/plain-text.ts';
import { readStoredJson } from '../../src/text/stored-json.ts';
import { visibleLines } from '../../src/text/visible.ts';
import { readMoment } from '../../src/time/moment.ts';
import { safeName } from '../../src/uploads/safe-name.ts';
import { readClickHouseUrl } from '../../src/warehouse/clickhouse-connection.ts';
import { describeRedirect } from '../../src/web/pages/hosts.ts';
import { plainLines, untrustedHost, untrustedName } from '../../src/web/pages/untrusted-text.ts';

const BUSINESS = { business_id: 'a business', timezone: 'Europe/Prague', primary_currency: 'CZK' };
const SECRET = Buffer.alloc(32);
const gate = businessGate(SECRET, BUSINESS);
const hashes = hashKey(SECRET, BUSINESS.business_id);
const landed = withoutPersons(SECRET, BUSINESS as Business);
const DRAWN_STORE = { locale: 'cs', timezone: 'Europe/Prague', currency: 'CZK' } as DrawnStore;
const CSV = { path: '', name: 'orders.csv', format: 'csv' } as const;

/**
 * Every function that is given a text of a stranger, by what that text is: files and their names, cells,
 * vendors' answers, requests, arguments of tools. A function that calls another one with the whole text
 * covers it. What it throws of a text that it refuses is well.
 */
export const FUNCTIONS_OF_STRANGERS: Readonly<Record<string, (text: string) => unknown>> = {
  // Names of files, entries of archives, columns.
  'the name of an uploaded file': (name) => safeName(name, (text) => text, new Set()),
  'the name of a file, for its table': (name) => tableOfFile(`orders${name}`, CANONICAL_TABLES),
  'the name of a table of Fivetran': (name) => fivetranTable(name, [name], []),
  'the header of a file': (text) => readHeader(CSV, text),
  'a header with semicolons': (text) => headerCells({ ...CSV, delimiter: ';' }, text),
  'the beginning of a file': (text) => findHeader(text),
  'the first line of a file': (text) => belowFirstLine(text),
  'the rows of a spreadsheet': (text) => hasQuotedRows(text),
  'the name of a column': (name) => columnName(name),
  'a column of a mapping': (name) => isHeaderOf(MAPPING, [name, `${name})`, `(${name}) *`]),
  'a mapping': (text) => readMapping(text.slice(0, 2 ** 15), 'mapping.yaml'),
  'a draft of a mapping': (name) =>
    draftMapping(name, name, [], [], { evidence: null, ofLines: [], isPriceOfLine: false }),
  'a cell that may be a date': (cell) => datesLike(cell, true),
  'a cell that is shown to whoever maps a table': (text) => shownCell(text, true, (each) => each),
  'the lines above a table': (text) => titlesAbove(text),
  'what a title may mean': (title) => meaningsOf(title),
  'JSON in a file': (text) => documentsIn(text),
  'a line of JSON': (text) => isLineOfJson(text),
  'the beginning of XML': (text) => [isXml(text), declaredEncoding(text)],
  'persons to delete': (text) => readIdentifiers(text),

  // Cells.
  'a free text': (text) => gate.pass('freeText', text),
  'the id of a person': (text) => gate.pass('personId', text),
  'a label of traffic': (text) => gate.pass('trafficName', text),
  'a URL': (text) => gate.pass('url', text),
  'the query of a URL': (text) => gate.pass('url', `https://obchod.cz/?${text}`),
  'a host': (text) => gate.pass('host', text),
  'attributes of a person': (text) => gate.pass('attributes', text),
  'an attribute of a person': (text) => gate.pass('attributes', JSON.stringify({ [text]: [text] })),
  'the address of a sender': (text) => gate.pass('senderAddress', text),
  'a phone number': (text) => gate.phones.internationalForm(text),
  'the length of a phone number': (text) => gate.phones.hasLengthOfPhone(text),
  'the country of a phone number': (text) => gate.phones.countryOf(text),
  'a cell that is refused': (text) => rejectedValue(gate, text, text),
  'a cell with persons that is refused': (text) => rejectedValue(gate, text, ''),
  'JSON that is stored': (text) => readStoredJson(text),
  'the name of an attribute': (text) => isPersonalName(text),
  'the value of an attribute': (text) => isPersonalText(text),

  // Answers of vendors.
  'a text of a vendor': (text) => landed({ title: text }),
  'an e-mail address of a vendor': (text) => landed({ email: text }),
  'a phone number of a vendor': (text) => landed({ phone: text }),
  'a field of a vendor': (text) => landed({ [text]: 1 }),
  'an e-mail address that lands': (text) => landedEmail(hashes, text),
  'a text like a landed hash': (text) => [readLandedHash(text), unlikeLandedHash(text)],
  'the message of an error': (text) => loggedError(new Error(`Conversion Error: ${text}`)),
  'the signature of a webhook': (text) => isSigned(text, Buffer.from('body'), 'secret'),
  'a connection string': (text) => readConnectionString(text),
  'the address of ClickHouse': (text) => readClickHouseUrl(`clickhouse://${text}`),

  // Messages and what tools show.
  'HTML as text': (text) => plainText(text, Number.POSITIVE_INFINITY),
  'the HTML of a message': (text) => messageText(text),
  'the URLs of a message': (text) => withoutTrackingInside(text),
  'the URL of a link': (text) => [withoutTracking(text), linkType(text)],
  'the placeholders of a message': (text) => placeholdersOf(text),
  'a text without addresses': (text) => withoutPersonalValues({ [text]: text }),
  'a text on one line': (text) => shortText(text, 80),

  // Requests, and arguments of tools.
  'a search for metrics': foundMetrics,
  'words to search for': (text) => [hasEveryWord(text, sql`name`), hasPart(text, sql`name`)],
  'a moment': (text) => readMoment('from', text, 'Europe/Prague', 'from'),
  'a time zone': (text) => isTimezone(text),
  'groups of tools': (text) => readGroups(text),
  'names of extensions': (text) => readExtensions(text),
  'a query of a segment': (text) =>
    parseSegmentQuery({
      segments: [{ targetingBlocks: [{ type: text }, { type: 'attribute', [text]: text }] }],
    }),
  'X-Forwarded-For': (text) => PROXIES?.clientOf('10.0.0.1', text),
  'the address of a client': (text) => networkOf(text),
  'redirect URIs': (text) => [whatIsWrongWith([text]), redirectHost(text)],
  'the metadata of a client': (text) =>
    normaliseClientMetadata({ client_name: text, client_id: text, grant_types: [text] }),
  'the languages of a browser': (text) => askedLocale(text),
  'the host of a connection': (text) => [isPublic(text), isLoopback(text)],
  'an e-mail address to sign in with': (text) => normalEmail(text),

  // What people are shown: pages, pictures, the command line.
  'a name on a page': (text) => [String(untrustedName(text, '')), String(untrustedHost(text))],
  'a text on a page': (text) => String(plainLines(text)),
  'where an app is sent to': (text) => String(describeRedirect(text, ENGLISH)),
  'a text in a terminal': (text) => visibleLines(text),
  'a label of a picture': (text) => [escapeXml(text), cutText(text, 300), keyInWords(text), labelOf(text)],
  'a title of a picture': (text) => wrapText(text, 300),
  'a note of a picture': (text) => noteInWords(text, DRAWN_STORE),
};

const MAPPING = { recognise: ['order <any> id'] } as unknown as Mapping;
const PROXIES = TrustedProxies.listed(['10.0.0.0/8']);

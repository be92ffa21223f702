import type { CallToolResult } from '@modelcontextprotocol/server';
import { asTable, isShapeOpen, withTables } from '../answers/row-formats.ts';
import type { Answer, Tool } from '../answers/tool.ts';
import { longAnswer, MOST_BYTES, tooLong } from '../asking/long-answer.ts';
import { type Arguments, structured } from '../asking/run-tool.ts';
import { writeAnswer } from '../asking/write-answer.ts';
import type { Pieces } from '../main-thread/pieces.ts';
import { isSameText, longText } from './answer-text.ts';
import { fittingData } from './fitting-data.ts';

/**
 * Takes the data of an answer that are written, and gives what stands in their place of the result until it
 * is sent.
 */
export type SendWritten = (written: readonly Uint8Array[]) => Record<string, unknown>;

/** Shorter answers are sent as the SDK does it: in one piece. */
const SENT_AT_ONCE = 64_000;

/**
 * Notes stand in the data as in the text, since hosts show the model only one of them: see answer-text.ts.
 */
export async function answerResult(
  tool: Tool,
  args: Arguments,
  answer: Answer,
  {
    inTurn,
    sendWritten,
  }: {
    /** Does work on the main thread when it is the account's turn. */
    inTurn<Result>(work: Pieces<Result>): Promise<Result>;
    readonly sendWritten: SendWritten | undefined;
  },
): Promise<CallToolResult> {
  const { data, parts, bytes, note, meta } = await inTurn(sentData(tool, args, answer));
  const told = [...(note === null ? [] : [note]), ...(answer.notes ?? [])];
  const whole = withNotesFirst(parts, told);
  const text = isSameText(bytes) ? whole.join('') : await inTurn(longText(tool, args, data, told));
  const isInPieces = bytes > SENT_AT_ONCE && sendWritten !== undefined;
  return {
    content: [{ type: 'text', text }],
    structuredContent: isInPieces
      ? sendWritten(whole.map((part) => Buffer.from(part)))
      : { ...(told.length > 0 && { notes: told }), ...data },
    ...(meta !== null && { _meta: meta }),
  };
}

/** The data as they are sent and written, with what is said of their length. */
function* sentData(tool: Tool, args: Arguments, answer: Answer) {
  const whole = yield* withTables(tool, args, structured(answer));
  const written = yield* writtenData(tool, args, whole);
  const long = longAnswer(tool, args, written.bytes);
  if (long === null) return { data: whole, ...written, note: null, meta: null };
  if (isShapeOpen(tool, args)) {
    const table = yield* asTable(tool, args, whole);
    const { bytes } = table === whole ? written : yield* writtenData(tool, args, table);
    const { data, note } = yield* fittingData(tool, args, table, { bytes, notes: answer.notes ?? [] });
    return { data, ...(yield* writtenData(tool, args, data)), note, meta: null };
  }
  return { data: whole, ...written, ...long };
}

function writtenData(tool: Tool, args: Arguments, data: Readonly<Record<string, unknown>>) {
  return writeAnswer(data, MOST_BYTES, (reached) => tooLong(tool, args, reached));
}

/** Hosts cut long answers at their end: what must not be missed stands at their beginning. */
function withNotesFirst(parts: readonly string[], notes: readonly string[]): string[] {
  if (notes.length === 0) return [...parts, '}'];
  const [first = '{', ...others] = parts;
  const fields = first.slice('{'.length);
  return [`{"notes":${JSON.stringify(notes)}${fields === '' ? '' : ','}${fields}`, ...others, '}'];
}

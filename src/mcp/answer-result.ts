import type { CallToolResult } from '@modelcontextprotocol/server';
import { withTables } from '../answers/row-formats.ts';
import type { Answer, Tool } from '../answers/tool.ts';
import type { Pieces } from '../main-thread/pieces.ts';
import { isSameText, longText } from './answer-text.ts';
import { longAnswer, MOST_BYTES, tooLong } from './long-answer.ts';
import { type Arguments, structured } from './run-tool.ts';
import { writeAnswer } from './write-answer.ts';

/** Takes the data of an answer that are written, and gives what stands in their place of the result until it is sent. */
export type SendWritten = (written: readonly Uint8Array[]) => Record<string, unknown>;

/** Shorter answers are sent as the SDK does it: in one piece. */
const SENT_AT_ONCE = 64_000;

/** Notes stand in the data as in the text, since hosts show the model only one of them: see answer-text.ts. */
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
  const data = await inTurn(withTables(tool, args, structured(answer)));
  const { parts, bytes } = await inTurn(
    writeAnswer(data, MOST_BYTES, (reached) => tooLong(tool, args, reached)),
  );
  const long = longAnswer(tool, args, bytes);
  const told = [...(long === null ? [] : [long.note]), ...(answer.notes ?? [])];
  const whole = withNotesFirst(parts, told);
  const text = isSameText(bytes) ? whole.join('') : await inTurn(longText(tool, args, data, told));
  const isInPieces = bytes > SENT_AT_ONCE && sendWritten !== undefined;
  return {
    content: [{ type: 'text', text }],
    structuredContent: isInPieces
      ? sendWritten(whole.map((part) => Buffer.from(part)))
      : { ...(told.length > 0 && { notes: told }), ...data },
    ...(long !== null && { _meta: long.meta }),
  };
}

/** Hosts cut long answers at their end: what must not be missed stands at their beginning. */
function withNotesFirst(parts: readonly string[], notes: readonly string[]): string[] {
  if (notes.length === 0) return [...parts, '}'];
  const [first = '{', ...others] = parts;
  const fields = first.slice('{'.length);
  return [`{"notes":${JSON.stringify(notes)}${fields === '' ? '' : ','}${fields}`, ...others, '}'];
}

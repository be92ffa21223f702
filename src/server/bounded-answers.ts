import {
  type JSONRPCMessage,
  type McpServer,
  ProtocolErrorCode,
  type Server,
  type Transport,
} from '@modelcontextprotocol/server';
import type { AnswerInFlight, Refusal } from './answers-in-flight.ts';
import type { LargeAnswers } from './large-answers.ts';

/** What a client is told when there is no room for an answer. */
export const REFUSAL_TEXTS: Readonly<Record<Refusal, string>> = {
  'too many requests at once':
    'too many requests of this account are under way; wait for some of their answers',
  'answers not taken':
    'answers to this account wait to be read; read them, or close their connections, then ask again',
  'memory for answers':
    'the server is busy: too many answers wait to be read by clients; try again in a moment',
  'answers of one batch':
    'the answers to this batch have more than 5 MB already; send this message again in another request',
};

/** Shorter results may be written a second time by the SDK: that costs less than to keep them apart. */
const WRITTEN_AGAIN = 4096;

/**
 * Lets a server send only what there is room for: an answer beyond that becomes an error that says so, and
 * can be let go at once. Every answer of a batch passes here, before it is queued for the connection. Its
 * result is written to JSON here, and nowhere else.
 */
export function boundAnswers<Bounded extends McpServer | Server>(
  server: Bounded,
  answer: AnswerInFlight,
  large: LargeAnswers,
  onRefused: (refusal: Refusal) => void,
): Bounded {
  const connect = server.connect.bind(server);
  server.connect = (transport: Transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      const isResult = 'result' in message;
      const json = JSON.stringify(isResult ? message.result : message);
      const refusal = answer.hold(() => large.bytes(json));
      if (refusal === null) {
        const isPlaced = isResult && json.length > WRITTEN_AGAIN;
        return send(isPlaced ? { ...message, result: large.place(json) } : message, options);
      }
      large.drop(json);
      onRefused(refusal);
      return send(refused(message, refusal), options);
    };
    return connect(transport);
  };
  return server;
}

/** The error in place of an answer. */
export function refused(message: JSONRPCMessage, refusal: Refusal): JSONRPCMessage {
  if (!('id' in message) || message.id === undefined) return message;
  const error = { code: ProtocolErrorCode.InternalError, message: REFUSAL_TEXTS[refusal] };
  return { jsonrpc: '2.0', id: message.id, error };
}

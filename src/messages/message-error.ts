import { InputError } from '../errors.ts';
import type { MessageArguments, MessageKey } from './catalogue.ts';
import { ENGLISH, type Messages } from './messages.ts';

/** A refusal, shown on a page in its reader's language and to programs in English. */
export class MessageError<Key extends MessageKey = MessageKey> extends InputError {
  readonly #say: (messages: Messages) => string;

  constructor(key: Key, ...args: MessageArguments<Key, string | number>) {
    const say = (messages: Messages) => messages.say(key, ...args);
    super(say(ENGLISH));
    this.#say = say;
  }

  in(messages: Messages): string {
    return this.#say(messages);
  }
}

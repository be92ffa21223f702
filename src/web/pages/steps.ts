import { html } from 'hono/html';
import type { Messages } from '../../messages/messages.ts';
import type { Html } from './views.ts';

/**
 * The way from nothing to the first numbers, as a list of three steps.
 *
 * @param done the number of steps that are done
 * @param form the form of the next step
 */
export function steps(done: 0 | 1 | 2, form: Html, { say }: Messages): Html {
  const all = [say('steps.create'), say('steps.upload'), say('steps.publish')];
  return html`<section class="card stack" aria-labelledby="steps">
        <h2 id="steps">${say('steps.title')}</h2>
        <ol class="steps">${all.map((text, index) => html`<li${index < done && html` class="done"`}>${text}${index < done && html` <span class="visually-hidden">(${say('steps.done')})</span>`}</li>`)}</ol>
        ${form}
      </section>`;
}

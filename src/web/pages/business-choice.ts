import { html } from 'hono/html';
import type { Messages } from '../../messages/messages.ts';
import { hostOfLink } from './hosts.ts';
import { PERMISSION_TEXTS } from './permission-texts.ts';
import { storeName } from './stores.ts';
import { plainLine, untrustedHost } from './untrusted-text.ts';
import type { BusinessView, ChosenBusinesses, Html } from './views.ts';

const NAMED_UNDER_ALL = 3;

/**
 * Radios `businesses` (`all`, `chosen`) and checkboxes `business_id`, which the style sheet shows only under
 * `chosen`. TRICKY: hidden checkboxes are still sent, so `business_id` means nothing beside `businesses=all`.
 */
export function businessChoice({
  businesses,
  chosen,
  error,
  messages,
}: {
  readonly businesses: readonly BusinessView[];
  readonly chosen: ChosenBusinesses;
  /** What is wrong with the choice. The page says it at its top too, which may be far away. */
  readonly error: string | null;
  readonly messages: Messages;
}): Html {
  const { say } = messages;
  const state = chosen ?? firstChoice(businesses);
  const ticked = new Set(state === 'all' ? [] : state);
  return html`<fieldset class="business-choice"${error !== null && html` aria-describedby="businesses-error"`}>
          <legend>${say('choice.legend')}</legend>
          ${error !== null && html`<p class="message error" id="businesses-error">${plainLine(error)}</p>`}
          <label class="choice">
            <input type="radio" name="businesses" value="all" required${state === 'all' && html` checked`} aria-describedby="all-businesses">
            <span>${say('choice.all')}</span>
          </label>
          <p class="choice-hint" id="all-businesses">${namesUnderAll(businesses, messages)}</p>
          ${
            businesses.length > 0 &&
            html`<label class="choice">
            <input type="radio" name="businesses" value="chosen"${state !== 'all' && state !== null && html` checked`}>
            <span>${say('choice.only')}</span>
          </label>
          <ul class="businesses">
            ${businesses.map((business) => checkbox(business, ticked.has(business.business_id), messages))}
          </ul>`
          }
        </fieldset>`;
}

/**
 * The choice that is ticked first: with one business or none only one makes sense, with several the narrower
 * one.
 */
function firstChoice(businesses: readonly BusinessView[]): ChosenBusinesses {
  const [first, second] = businesses;
  if (first === undefined) return 'all';
  return second === undefined ? [first.business_id] : null;
}

function namesUnderAll(businesses: readonly BusinessView[], messages: Messages): Html {
  const { say, around } = messages;
  if (businesses.length === 0) {
    return html`${say('choice.none-assigned')}`;
  }
  const named = businesses.slice(0, NAMED_UNDER_ALL).map((business) => storeName(business, messages));
  const others = businesses.length - named.length;
  const names = html`${named.map((name, index) => html`${index > 0 && ', '}${name}`)}${others > 0 && ` ${say('choice.and-more', { count: others })}`}`;
  return html`${around('choice.now', { names })}`;
}

function checkbox(business: BusinessView, isTicked: boolean, messages: Messages): Html {
  const { say } = messages;
  const { business_id, link, permissions } = business;
  const host = hostOfLink(link);
  const labels = permissions.map((permission) => say(PERMISSION_TEXTS[permission].label));
  return html`<li>
              <label class="choice">
                <input type="checkbox" name="business_id" value="${business_id}"${isTicked && html` checked`}>
                <span>
                  ${storeName(business, messages)}
                  <span class="detail">${host === null ? say('choice.no-link', { id: business_id.slice(0, 8) }) : untrustedHost(host)} · ${labels.length === 0 ? say('choice.nothing-to-read') : labels.join(', ')}</span>
                </span>
              </label>
            </li>`;
}

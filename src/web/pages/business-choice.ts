import { html } from 'hono/html';
import { hostOfLink } from './hosts.ts';
import { PERMISSION_TEXTS } from './permission-texts.ts';
import { plainLine, untrustedHost, untrustedName } from './untrusted-text.ts';
import type { BusinessView, ChosenBusinesses, Html } from './views.ts';

const NAMED_UNDER_ALL = 3;

/**
 * Radios `businesses` (`all`, `chosen`) and checkboxes `business_id`, which the style sheet shows only under `chosen`.
 * TRICKY: hidden checkboxes are still sent, so `business_id` means nothing beside `businesses=all`.
 */
export function businessChoice({
  businesses,
  chosen,
  error,
}: {
  readonly businesses: readonly BusinessView[];
  readonly chosen: ChosenBusinesses;
  /** What is wrong with the choice; the page says it at its top too, which may be far away. */
  readonly error: string | null;
}): Html {
  const state = chosen ?? firstChoice(businesses);
  const ticked = new Set(state === 'all' ? [] : state);
  return html`<fieldset class="business-choice"${error !== null && html` aria-describedby="businesses-error"`}>
          <legend>Which stores may it read?</legend>
          ${error !== null && html`<p class="message error" id="businesses-error">${plainLine(error)}</p>`}
          <label class="choice">
            <input type="radio" name="businesses" value="all" required${state === 'all' && html` checked`} aria-describedby="all-businesses">
            <span>All my stores, also those added later</span>
          </label>
          <p class="choice-hint" id="all-businesses">${namesUnderAll(businesses)}</p>
          ${
            businesses.length > 0 &&
            html`<label class="choice">
            <input type="radio" name="businesses" value="chosen"${state !== 'all' && state !== null && html` checked`}>
            <span>Only these:</span>
          </label>
          <ul class="businesses">
            ${businesses.map((business) => checkbox(business, ticked.has(business.business_id)))}
          </ul>`
          }
        </fieldset>`;
}

/**
 * The choice that is made first: with one business or none there is one sensible answer, with several the narrower one.
 */
function firstChoice(businesses: readonly BusinessView[]): ChosenBusinesses {
  const [first, second] = businesses;
  if (first === undefined) return 'all';
  return second === undefined ? [first.business_id] : null;
}

function namesUnderAll(businesses: readonly BusinessView[]): Html {
  if (businesses.length === 0) {
    return html`No store is assigned to you yet. A store appears as soon as whoever runs this Storesight assigns it to you.`;
  }
  const named = businesses.slice(0, NAMED_UNDER_ALL).map(businessName);
  const others = businesses.length - named.length;
  return html`Now: ${named.map((name, index) => html`${index > 0 && ', '}${name}`)}${others > 0 && ` and ${others} more`}.`;
}

function checkbox(business: BusinessView, isTicked: boolean): Html {
  const { business_id, link, permissions } = business;
  const host = hostOfLink(link);
  const labels = permissions.map((permission) => PERMISSION_TEXTS[permission].label);
  return html`<li>
              <label class="choice">
                <input type="checkbox" name="business_id" value="${business_id}"${isTicked && html` checked`}>
                <span>
                  ${businessName(business)}
                  <span class="detail">${host === null ? `no link, id ${business_id.slice(0, 8)}` : untrustedHost(host)} · ${labels.length === 0 ? 'nothing to read yet' : labels.join(', ')}</span>
                </span>
              </label>
            </li>`;
}

function businessName({ name }: BusinessView): Html {
  return untrustedName(name, 'A store without a name');
}

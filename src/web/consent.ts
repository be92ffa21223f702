import { createHash } from 'node:crypto';
import { createGrant } from '../control/tokens/grants.ts';
import { GRANT_SECONDS } from '../oauth/configuration.ts';
import { allowlistOf, readableBusinesses, readChoice } from './consent-choice.ts';
import {
  messagesOf,
  type PageApp,
  type PageContext,
  type Pages,
  readForm,
  requireAccount,
} from './page-context.ts';
import { consentPage } from './pages/consent.ts';
import { showMessage } from './show-message.ts';

/** Adds the page where a person says which businesses an app may read. */
export function addConsent(app: PageApp, pages: Pages): void {
  const { paths, control, authorizationServer } = pages;
  const path = paths.consent(':uid');

  app.get(path, async (context) => {
    const asked = await readRequest(pages, context);
    if (asked instanceof Response) return asked;
    return context.html(consentPage({ ...asked, error: null, chosen: null }));
  });

  app.post(path, async (context) => {
    const asked = await readRequest(pages, context);
    if (asked instanceof Response) return asked;
    const { incoming, outgoing } = context.env;
    const { messages } = asked;
    const form = await readForm(context);
    if (form.text('decision') === 'deny') {
      return context.redirect(await authorizationServer.answerConsentRequest(incoming, outgoing, null), 303);
    }
    const shownTo = form.text('account');
    // Another tab signed in as somebody else while this page was open; the ticks were theirs.
    if (shownTo !== '' && shownTo !== asked.account.email) {
      return context.html(
        consentPage({ ...asked, error: messages.say('consent.another-account'), chosen: null }),
        409,
      );
    }
    const chosen = form.text('decision') === 'allow' ? readChoice(form, asked.businesses) : null;
    if (chosen === null) {
      const ticked = form.text('businesses') === 'chosen' ? [] : null;
      return context.html(
        consentPage({ ...asked, error: messages.say('choice.nothing-chosen'), chosen: ticked }),
        400,
      );
    }
    const grant = await createGrant(control, {
      grant_id: grantIdOf(asked.uid, asked.account.account_id, asked.client.client_id),
      account_id: asked.account.account_id,
      allowlist: allowlistOf(chosen),
      expires_at: new Date(Date.now() + GRANT_SECONDS * 1000),
      client: asked.client,
    });
    return context.redirect(await authorizationServer.answerConsentRequest(incoming, outgoing, grant), 303);
  });
}

/**
 * Makes one id for each request, account and app, so that two clicks on Allow make one connection. With the
 * account in it nobody reaches somebody else's grant, whatever request they name.
 */
function grantIdOf(...parts: readonly string[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  // UUID version 8, whose content is free (RFC 9562).
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-8$3-8$4-$5');
}

/**
 * The request of an app and the account; or the response that leads to the sign-in, or says that the request
 * has expired.
 */
async function readRequest(pages: Pages, context: PageContext) {
  const { paths, control, authorizationServer } = pages;
  const account = await requireAccount(pages, context);
  if (account instanceof Response) return account;
  const { incoming, outgoing } = context.env;
  const messages = messagesOf(context);
  const request = await authorizationServer.findConsentRequest(incoming, outgoing);
  if (request === null) {
    return showMessage(pages, context, { status: 400, account }, ({ say }) => ({
      title: say('consent.over'),
      text: say('consent.over-text'),
      whatToDo: say('consent.over-do'),
      link: { href: paths.apps, label: say('layout.apps') },
    }));
  }
  return {
    paths,
    messages,
    endsAfterDays: GRANT_SECONDS / 86_400,
    uid: context.req.param('uid') ?? '',
    account,
    client: { ...request.client, metadata_host: request.metadata_host },
    businesses: await readableBusinesses(control, account.account_id),
  };
}

import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import { addConnections } from './connections.ts';
import { addConsent } from './consent.ts';
import type { PageApp, Pages } from './page-context.ts';
import { messagePage } from './pages/message.ts';
import { STYLES } from './pages/styles.ts';
import { addPassword } from './password.ts';
import { securityHeaders } from './security-headers.ts';
import { addSignIn } from './sign-in.ts';

const LARGEST_FORM = 256 * 1024;

/** The pages for people: sign-in, consent, connected apps, password. */
export function createPageApp(pages: Pages): PageApp {
  const { paths, origin } = pages;
  const app: PageApp = new Hono();
  const pagePaths = [
    paths.signIn,
    paths.signOut,
    paths.identityProvider,
    paths.identityProviderReturn,
    paths.consent(':uid'),
    paths.connect,
    paths.connections,
    paths.connection(':grant_id'),
    paths.revokeConnection(':grant_id'),
    paths.password,
    paths.passwordLink(':link'),
  ];
  const headers = Object.entries(securityHeaders(origin));
  for (const path of pagePaths) {
    app.use(path, async (context, next) => {
      await next();
      for (const [name, value] of headers) context.header(name, value);
      context.header('Cache-Control', 'no-store');
    });
    app.use(path, csrf({ origin }), bodyLimit({ maxSize: LARGEST_FORM }));
  }
  app.get(paths.styles, (context) =>
    context.body(STYLES, 200, {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': 'max-age=3600',
    }),
  );
  addSignIn(app, pages);
  addConsent(app, pages);
  addConnections(app, pages);
  addPassword(app, pages);
  app.onError((error, context) => {
    if (!(error instanceof HTTPException) || error.status !== 403) throw error;
    const page = messagePage({
      paths,
      account: null,
      title: 'This form came from elsewhere',
      text: `Forms are taken only from pages at ${origin}.`,
      whatToDo: 'Open the page there and try again.',
      link: { href: `${origin}${paths.connections}`, label: 'Connected apps' },
    });
    return context.html(page, 403);
  });
  return app;
}

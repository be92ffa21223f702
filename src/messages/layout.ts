import type { Message } from './message.ts';

/** Texts around every page. */
export const LAYOUT = {
  'layout.skip': {
    en: 'Skip to the content',
    de: 'Zum Inhalt springen',
    cs: 'Přejít na obsah',
    fr: 'Aller au contenu',
  },
  'layout.what-to-do': {
    en: 'What to do now',
    de: 'Was Sie jetzt tun können',
    cs: 'Co teď můžete udělat',
    fr: 'Que faire maintenant',
  },
  'layout.error': { en: 'Error:', de: 'Fehler:', cs: 'Chyba:', fr: 'Erreur :' },
  'layout.account': { en: 'Your account', de: 'Ihr Konto', cs: 'Váš účet', fr: 'Votre compte' },
  'layout.apps': {
    en: 'Connected apps',
    de: 'Verbundene Apps',
    cs: 'Připojené aplikace',
    fr: 'Applications connectées',
  },
  'layout.connect': {
    en: 'Connect an app',
    de: 'App verbinden',
    cs: 'Připojit aplikaci',
    fr: 'Connecter une application',
  },
  'layout.stores': { en: 'Stores', de: 'Shops', cs: 'Obchody', fr: 'Boutiques' },
  'layout.password': { en: 'Password', de: 'Passwort', cs: 'Heslo', fr: 'Mot de passe' },
  'layout.sign-out': { en: 'Sign out', de: 'Abmelden', cs: 'Odhlásit se', fr: 'Se déconnecter' },
  'layout.promise': {
    en: 'Storesight reads store data. It never changes any.',
    de: 'Storesight liest die Daten des Shops. Es ändert nie etwas daran.',
    cs: 'Storesight data obchodu jen čte. Nikdy je nemění.',
    fr: 'Storesight lit les données de la boutique. Il ne les modifie jamais.',
  },
} as const satisfies Record<string, Message>;

/** The company that runs the mailboxes of a domain; other domains are `other`. */
const DOMAINS: Readonly<Record<string, readonly string[]>> = {
  gmail: ['gmail.com', 'googlemail.com'],
  microsoft: ['outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'passport.com'],
  yahoo: ['yahoo.com', 'ymail.com', 'rocketmail.com', 'aol.com'],
  apple: ['icloud.com', 'me.com', 'mac.com'],
  seznam: ['seznam.cz', 'email.cz', 'post.cz', 'spoluzaci.cz', 'stream.cz'],
  centrum: ['centrum.cz', 'centrum.sk', 'atlas.cz', 'volny.cz'],
  azet: ['azet.sk', 'pobox.sk', 'zoznam.sk'],
  united_internet: ['gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch', 'web.de', 'mail.com', '1und1.de'],
  telekom: ['t-online.de', 'magenta.de'],
  wp: ['wp.pl', 'o2.pl', 'tlen.pl'],
  onet: ['onet.pl', 'onet.eu', 'op.pl', 'vp.pl', 'poczta.onet.pl'],
  interia: ['interia.pl', 'interia.eu', 'poczta.fm'],
  orange: ['orange.fr', 'wanadoo.fr'],
  free: ['free.fr'],
  libero: ['libero.it', 'virgilio.it', 'iol.it'],
  proton: ['proton.me', 'protonmail.com', 'pm.me'],
  yandex: ['yandex.ru', 'yandex.com', 'ya.ru'],
  mail_ru: ['mail.ru', 'bk.ru', 'inbox.ru', 'list.ru'],
};

/** Providers with a domain for each country. */
const BRANDS: Readonly<Record<string, string>> = {
  microsoft: '(outlook|hotmail|live|windowslive)',
  yahoo: '(yahoo|ymail)',
};

const list = (domains: readonly string[]) => domains.map((domain) => `'${domain}'`).join(', ');

/** `gmail`, `seznam`, …: who runs the mailboxes of a domain in lower case. */
export const mailboxProvider = (domain: string) => `case
    ${Object.entries(DOMAINS)
      .map(([provider, domains]) => `when ${domain} in (${list(domains)}) then '${provider}'`)
      .join('\n    ')}
    ${Object.entries(BRANDS)
      .map(
        ([provider, brand]) =>
          `when regexp_full_match(${domain}, '${brand}[.][a-z]{2,3}([.][a-z]{2})?') then '${provider}'`,
      )
      .join('\n    ')}
    when ${domain} is not null then 'other'
  end`;

import type { Customer } from '../customers.ts';
import { at, cumulative, type RandomStream } from '../random-stream.ts';

/** Where somebody's mail arrives. Only the domain is known to the shop, so these can be of real providers. */
export type Mailbox = {
  domain: string;
  /** The provider as tools name who runs it. */
  provider: string;
  /** What the sending platform calls the program in which messages are read. */
  client: string;
  /** Messages are fetched before anybody reads them; what people do is seen only by their clicks. */
  prefetches: boolean;
  /** A filter of the company opens links before it lets a message through. */
  isScanned: boolean;
};

function mailbox(domain: string, provider: string, client: string): Mailbox {
  return { domain, provider, client, prefetches: client === 'Apple Mail', isScanned: false };
}

const gmail = mailbox('gmail.com', 'gmail', 'Gmail');
const apple = mailbox('icloud.com', 'apple', 'Apple Mail');
const outlook = mailbox('outlook.com', 'microsoft', 'Outlook');
export const seznam = mailbox('seznam.cz', 'seznam', 'Seznam Email');

const companies: readonly Mailbox[] = [
  'stavby-jizera.example.com',
  'ucetni-nisa.example.org',
  'obec-kamenice.example.net',
].map((domain) => ({ ...mailbox(domain, 'other', 'Thunderbird'), isScanned: true }));

const byCountry: Record<Customer['country'], readonly (readonly [weight: number, Mailbox])[]> = {
  CZ: [
    [30, seznam],
    [4, mailbox('email.cz', 'seznam', 'Seznam Email')],
    [2, mailbox('post.cz', 'seznam', 'Seznam Email')],
    [32, gmail],
    [7, mailbox('centrum.cz', 'centrum', 'Thunderbird')],
    [5, outlook],
    [9, apple],
    [3, at(companies, 0)],
    [3, at(companies, 1)],
    [2, at(companies, 2)],
  ],
  SK: [
    [46, gmail],
    [14, mailbox('azet.sk', 'azet', 'Chrome')],
    [10, mailbox('centrum.sk', 'centrum', 'Thunderbird')],
    [8, outlook],
    [10, apple],
  ],
  DE: [
    [30, gmail],
    [18, mailbox('web.de', 'united_internet', 'Chrome')],
    [16, mailbox('gmx.de', 'united_internet', 'Chrome')],
    [10, mailbox('t-online.de', 'telekom', 'Thunderbird')],
    [14, apple],
  ],
  AT: [
    [40, gmail],
    [24, mailbox('gmx.at', 'united_internet', 'Chrome')],
    [16, apple],
  ],
  PL: [
    [48, gmail],
    [18, mailbox('wp.pl', 'wp', 'Chrome')],
    [12, mailbox('onet.pl', 'onet', 'Chrome')],
    [8, apple],
  ],
};
const weights = Object.fromEntries(
  Object.entries(byCountry).map(([country, offers]) => [
    country,
    cumulative(offers.map(([weight]) => weight)),
  ]),
) as Record<Customer['country'], number[]>;

/** One in ten who have their mailbox elsewhere read it with Apple's program. */
export function drawMailbox(stream: RandomStream, country: Customer['country']): Mailbox {
  const [, drawn] = at(byCountry[country], stream.index(weights[country]));
  const readsWithApple = stream.chance(0.1);
  return readsWithApple && !drawn.isScanned ? { ...drawn, client: 'Apple Mail', prefetches: true } : drawn;
}

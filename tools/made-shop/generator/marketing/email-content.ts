import { priceOn } from '../prices.ts';
import type { Product } from '../product.ts';
import type { LinkRow, LinkType } from './rows.ts';

/** What an e-mail says; products stand in blocks between the text and the button. */
export type EmailContent = {
  preheader: string;
  headline: string;
  /** Plain text; `{{first_name}}` and the like are filled in for each recipient. */
  paragraphs: readonly string[];
  products: readonly Product[];
  /** Products that differ by recipient; the shop keeps no list of them. */
  hasRecommendations: boolean;
  button: { label: string; path: string };
  /** An article of the shop's magazine under the button. */
  article: { label: string; path: string } | null;
  /** Whether it can be unsubscribed from; not what belongs to an order. */
  isMarketing: boolean;
};

type Link = Omit<LinkRow, 'link_id' | 'message_id'>;

const shopUrl = 'https://kamenice-outdoor.example.com';

/**
 * An e-mail in HTML and in text, with its links from top to bottom.
 *
 * @param day the local day whose prices are shown
 */
export function writeEmail(
  content: EmailContent,
  utm_campaign: string,
  day: number,
): { html: string; text: string; links: Link[] } {
  const links: Link[] = [];
  const link = (path: string, label: string, link_type: LinkType) => {
    const isOwn = path.startsWith('/');
    const isTagged = isOwn && !['unsubscribe', 'preferences', 'view_online'].includes(link_type);
    const utm = `?utm_source=newsletter&utm_medium=email&utm_campaign=${utm_campaign}`;
    const url = `${isOwn ? shopUrl : ''}${path}${isTagged ? utm : ''}`;
    links.push({ url, label, link_type, position: links.length + 1 });
    return url;
  };
  const { preheader, headline, paragraphs, products, button, article, isMarketing } = content;

  const online = link('/newsletter/online?m={{message_token}}', 'Zobrazit v prohlížeči', 'view_online');
  const home = link('/', 'Kamenice Outdoor', 'other');
  const blocks = products.map((product) => ({
    name: product.name,
    price: crowns(priceOn(product.prices, day).price),
    image: `${shopUrl}/img/${product.external_product_id.toLowerCase()}.jpg`,
    url: link(`/p/${product.external_product_id.toLowerCase()}`, product.name, 'product'),
  }));
  const action = link(button.path, button.label, linkTypeOf(button.path));
  const reading = article && { ...article, url: link(article.path, article.label, 'content') };
  const facebook = link('https://www.facebook.com/kamenice.outdoor.example', 'Facebook', 'social');
  const preferences = link('/newsletter/nastaveni?r={{recipient_token}}', 'Nastavení odběru', 'preferences');
  const unsubscribe = isMarketing
    ? link('/newsletter/odhlasit?r={{recipient_token}}', 'Odhlásit odběr', 'unsubscribe')
    : null;

  const html = [
    '<!doctype html><html lang="cs"><head><meta charset="utf-8"><style>body{margin:0;background:#f2efe9;font-family:Arial,sans-serif;color:#2b2b26}.box{max-width:600px;margin:auto;background:#fff;padding:24px}.button{background:#2f5d3a;color:#fff;padding:12px 24px;text-decoration:none}</style></head><body>',
    `<div style="display:none">${escaped(preheader)}</div><div class="box">`,
    `<p><a href="${escaped(online)}">Zobrazit v prohlížeči</a></p>`,
    `<a href="${escaped(home)}"><img src="${shopUrl}/img/logo.png" alt="Kamenice Outdoor" width="180"></a>`,
    `<h1>${escaped(headline)}</h1>`,
    ...paragraphs.map((paragraph) => `<p>${escaped(paragraph)}</p>`),
    ...blocks.map(
      ({ name, price, image, url }) =>
        `<table role="presentation"><tr><td><a href="${escaped(url)}"><img src="${image}" alt="" width="160"></a></td><td><a href="${escaped(url)}">${escaped(name)}</a><br><strong>${price}</strong></td></tr></table>`,
    ),
    ...(content.hasRecommendations ? ['<div>{{recommended_products}}</div>'] : []),
    `<p><a class="button" href="${escaped(action)}">${escaped(button.label)}</a></p>`,
    ...(reading ? [`<p><a href="${escaped(reading.url)}">${escaped(reading.label)}</a></p>`] : []),
    `<hr><p>Kamenice Outdoor, příklad obchodu. <a href="${facebook}">Facebook</a> · <a href="${preferences}">Nastavení odběru</a>`,
    unsubscribe === null ? '</p>' : ` · <a href="${unsubscribe}">Odhlásit odběr</a></p>`,
    '</div></body></html>',
  ].join('\n');

  const text = [
    headline,
    ...paragraphs,
    ...blocks.map(({ name, price, url }) => `${name}: ${price}\n${url}`),
    `${button.label}: ${action}`,
    ...(reading ? [`${reading.label}: ${reading.url}`] : []),
    ...(unsubscribe === null ? [] : [`Odhlásit odběr: ${unsubscribe}`]),
  ].join('\n\n');
  return { html, text, links };
}

/** Hundredths as Czech shops write prices: `2 490 Kč`. */
function crowns(price: number): string {
  return `${String(Math.round(price / 100)).replace(/\B(?=(\d{3})+$)/g, ' ')} Kč`;
}

function linkTypeOf(path: string): LinkType {
  if (path.startsWith('/c/') || path === '/sale') return 'category';
  return path.startsWith('/blog/') ? 'content' : 'other';
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** What the shop shows of some categories on a day: what is bought most, each design once. */
export function chooseProducts(
  products: readonly Product[],
  categories: readonly string[],
  day: number,
  count: number,
): Product[] {
  const offered = products
    .filter(
      (product) =>
        product.popularity > 0 &&
        product.created_day <= day &&
        (product.discontinued_day === null || product.discontinued_day > day) &&
        categories.some((category) => product.categories.some((name) => name.startsWith(category))),
    )
    .sort((a, b) => b.popularity - a.popularity || (a.external_product_id < b.external_product_id ? -1 : 1));
  const designs = new Set<string>();
  const chosen: Product[] = [];
  for (const product of offered) {
    const design = product.external_master_product_id ?? product.external_product_id;
    if (designs.has(design)) continue;
    designs.add(design);
    chosen.push(product);
    if (chosen.length === count) break;
  }
  return chosen;
}

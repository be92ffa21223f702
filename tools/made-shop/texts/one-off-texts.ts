/** An SMS that is sent once, on a local day. The id of its campaign is `<date>-<slug>`. */
export type OneOffText = {
  date: string;
  slug: string;
  name: string;
  category: string;
  text: string;
};

/** Campaigns that truths are planted on, by id. */
export const plantedTexts = {
  /** One dash that is not of the telephones' alphabet makes two parts out of one. */
  unicode: '2026-09-22-sms-vyprodej',
  /** A text that is as long, but of the telephones' alphabet alone. */
  plain: '2026-08-12-sms-letni-trika',
} as const;

export const oneOffTexts: readonly OneOffText[] = [
  {
    date: '2024-11-29',
    slug: 'sms-black-friday',
    name: 'SMS Black Friday 2024',
    category: 'sale',
    text: 'Black Friday: -20 % na vse s kodem BLACK2024. https://k-o.example.com/bf STOP: odpovezte STOP',
  },
  {
    date: '2025-04-11',
    slug: 'sms-jaro',
    name: 'SMS jaro 2025',
    category: 'promotion',
    text: 'Jaro je tady! Kod SPRING2025 = -15 % do 19.4. https://k-o.example.com/jaro STOP: odpovezte STOP',
  },
  {
    date: '2025-08-20',
    slug: 'sms-letni-vyprodej',
    name: 'SMS letní výprodej 2025',
    category: 'sale',
    text: 'Letni vyprodej: posledni kusy az -40 %. https://k-o.example.com/leto STOP: odpovezte STOP',
  },
  {
    date: '2025-11-28',
    slug: 'sms-black-friday',
    name: 'SMS Black Friday 2025',
    category: 'sale',
    text: 'Black Friday zacal: -20 % s kodem BLACK2025 do pondeli. https://k-o.example.com/bf STOP: odpovezte STOP',
  },
  {
    date: '2026-04-10',
    slug: 'sms-jaro',
    name: 'SMS jaro 2026',
    category: 'promotion',
    text: 'Kod SPRING2026 = -15 % na celou vybavu do 19.4. https://k-o.example.com/jaro STOP: odpovezte STOP',
  },
  {
    date: '2026-06-24',
    slug: 'sms-novinka',
    name: 'SMS novinka: hamaky',
    category: 'product_launch',
    text: 'Novinka: houpaci site Trampex uz od 890 Kc. https://k-o.example.com/site STOP: odpovezte STOP',
  },
  {
    date: '2026-08-12',
    slug: 'sms-letni-trika',
    name: 'SMS letní trika',
    category: 'promotion',
    text: 'Kamenice Outdoor: letni trika -25 % jen do nedele. Vyber na https://k-o.example.com/trika STOP: odpovezte STOP',
  },
  {
    date: '2026-09-03',
    slug: 'sms-klub',
    name: 'SMS klub: září',
    category: 'promotion',
    text: 'Kamenice Outdoor: klubova sleva 10 % na boty do nedele. https://k-o.example.com/boty STOP: odpovezte STOP',
  },
  {
    date: '2026-09-22',
    slug: 'sms-vyprodej',
    name: 'SMS výprodej léta',
    category: 'sale',
    text: 'Kamenice Outdoor: vyprodej leta – az -40 % jen do patku. Vyber na https://k-o.example.com/leto STOP: odpovezte STOP',
  },
];

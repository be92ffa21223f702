import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { columnName } from '../../src/sources/column-name.ts';
import { readMapping } from '../../src/sources/mapping/read-mapping.ts';
import { inEnglish, type TitlesInLanguages } from '../../src/sources/titles-in-languages.ts';
import { PRODUCT_TITLES } from '../../src/sources/woocommerce/product-titles.ts';
import { PACKAGE_FOLDER } from '../../src/version.ts';
import { refusalOf, translateFiles } from './translated.ts';

const AD_COSTS = 'cast(day as varchar), campaign, cost, clicks, impressions';

function titlesOf(mapping: string): TitlesInLanguages {
  return readMapping(readFileSync(join(PACKAGE_FOLDER, 'mappings', `${mapping}.yaml`), 'utf8'), mapping)
    .titles;
}

describe('titles in other languages', () => {
  it.each([
    ['WooCommerce', PRODUCT_TITLES],
    ['Google Ads', titlesOf('google-ads')],
    ['Meta', titlesOf('meta-ads')],
  ])('stand for one column each in %s, whatever the language', (_, titles) => {
    const english = new Map<string, string>();
    for (const language of Object.values(titles))
      for (const [title, others] of Object.entries(language))
        for (const other of [others].flat()) {
          expect(english.get(columnName(other)) ?? title).toBe(title);
          english.set(columnName(other), title);
        }
    expect(english.size).toBeGreaterThan(10);
  });

  it('are read with other blanks, apostrophes and accents of two characters', () => {
    expect(
      inEnglish(PRODUCT_TITLES, [
        'Mis en avant\u00a0?',
        "Valeur(s) de l'attribut 2 ",
        'Běžná cena'.normalize('NFD'),
        'DATE DE FIN DE PROMO',
      ]),
    ).toEqual(['Is featured?', 'Attribute 2 value(s)', 'Regular price', 'Date sale price ends']);
  });

  it('are left where the English title stands beside them', () => {
    expect(inEnglish(PRODUCT_TITLES, ['Name', 'Nom', 'Regular price', 'Cena'])).toEqual([
      ...['Name', 'Nom', 'Regular price', 'Cena'],
    ]);
  });
});

describe('Google Ads', () => {
  /** The name of the report, the header, its row of totals. */
  const REPORTS = {
    de: [
      'Kampagnenbericht',
      ['Tag', 'Kampagne', 'Währungscode', 'Kosten', 'Impr.', 'Klicks'],
      'Gesamt: Konto',
    ],
    es: ['Informe de campañas', ['Día', 'Campaña', '', 'Coste', 'Impr.', 'Clics'], 'Total: Cuenta'],
    fr: ['Rapport de campagne', ['Jour', 'Campagne', '', 'Coût', 'Impressions', 'Clics'], 'Total : Compte'],
    pl: ['Raport kampanii', ['Dzień', 'Kampania', '', 'Koszt', 'Wyświetl.', 'Kliknięcia'], 'Razem: konto'],
    pt: [
      'Relatório de campanha',
      ['Dia', 'Campanha', 'Código da moeda', 'Custo', 'Impr.', 'Cliques'],
      'Total: conta',
    ],
  } as const;

  const rowsOf = (language: keyof typeof REPORTS, thousands: string) => {
    const [report, header, total] = REPORTS[language];
    return [
      [report],
      ['1 - 2'],
      header,
      ['2026-09-01', 'Frühling', 'EUR', `1${thousands}234,56`, `12${thousands}345`, '120'],
      ['2026-09-02', 'Frühling', 'EUR', '99,90', '900', '--'],
      [total, '--', 'EUR', `1${thousands}334,46`, `13${thousands}245`, '120'],
    ].map((row) => row.filter((_, place) => header[place] !== ''));
  };
  const READ = [
    ['2026-09-01', 'Frühling', 1234.56, 120, 12345],
    ['2026-09-02', 'Frühling', 99.9, null, 900],
  ];
  const LANGUAGES = Object.keys(REPORTS) as (keyof typeof REPORTS)[];

  it.each(LANGUAGES)(
    'reads a report in %s with decimal commas, as the sign of UTF-16 and tabs has it',
    (language) =>
      translateFiles(
        {
          'report.csv': Buffer.from(
            `\uFEFF${rowsOf(language, '.')
              .map((row) => row.join('\t'))
              .join('\n')}\n`,
            'utf16le',
          ),
        },
        async ({ rows, rejects, sources }) => {
          expect(rejects).toEqual([]);
          expect(sources[0]?.source).toBe('google-ads');
          expect(await rows('ad_costs', AD_COSTS)).toEqual(READ);
        },
        { currency: 'EUR' },
      ),
  );

  it('reads blanks between thousands, and cells in quotes', () =>
    translateFiles(
      {
        'report.csv': rowsOf('pl', '\u00a0')
          .map((row) => row.map((cell) => `"${cell}"`).join(','))
          .join('\n'),
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('ad_costs', AD_COSTS)).toEqual(READ);
      },
      { currency: 'EUR' },
    ));

  it('reads titles of two languages beside each other', () =>
    translateFiles(
      { 'report.csv': 'Day;Kampagne;Currency code;Kosten;Impr.;Clicks\n2026-09-01;A;EUR;1,50;10;2\n' },
      async ({ rows }) => expect(await rows('ad_costs', AD_COSTS)).toEqual([['2026-09-01', 'A', 1.5, 2, 10]]),
    ));

  it('asks for the order of day and month, and for a currency that the report does not say', async () => {
    const file = 'Tag;Kampagne;Kosten\n01.02.2026;A;1,50\n';
    expect(await refusalOf({ 'report.csv': file }, { currency: 'EUR' })).toContain('--dates');
    expect(await refusalOf({ 'report.csv': file }, { dates: 'dmy' })).toContain(
      'costs without their currency',
    );
  });

  it('says what a half-translated report lacks', async () => {
    const file = 'Tag;Kampagne;Ausgaben;Klicks\n2026-09-01;A;1,50;2\n';
    const message = await refusalOf({ 'report.csv': file });
    expect(message).toContain('nearest to Google Ads costs');
    expect(message).toContain('but without the column cost');
  });

  it.each(['Kampagne;Kosten;Klicks', 'Campanha;Custo;Cliques'])(
    'refuses a report without days: %s',
    async (header) =>
      expect(await refusalOf({ 'report.csv': `${header}\nA;1,50;2\n` })).toContain(
        'is a report of Google Ads without days',
      ),
  );
});

describe('Meta', () => {
  /** Day, campaign, amount, impressions, clicks of links. */
  const HEADERS: Readonly<Record<string, readonly string[]>> = {
    de: ['Tag', 'Kampagnenname', 'Ausgegebener Betrag (EUR)', 'Impressionen', 'Link-Klicks'],
    es: ['Día', 'Nombre de la campaña', 'Importe gastado (EUR)', 'Impresiones', 'Clics en el enlace'],
    fr: ['Jour', 'Nom de la campagne', 'Montant dépensé (EUR)', 'Impressions', 'Clics sur un lien'],
    it: ['Giorno', 'Nome della campagna', 'Importo speso (EUR)', 'Impression', 'Clic sul link'],
    nl: ['Dag', 'Campagnenaam', 'Besteed bedrag (EUR)', 'Weergaven', 'Klikken op links'],
    pl: ['Dzień', 'Nazwa kampanii', 'Wydana kwota (EUR)', 'Wyświetlenia', 'Kliknięcia linku'],
    pt: ['Dia', 'Nome da campanha', 'Valor usado (EUR)', 'Impressões', 'Cliques no link'],
    'pt in Portugal': ['Dia', 'Nome da campanha', 'Montante gasto (EUR)', 'Impressões', 'Cliques na ligação'],
    ru: ['День', 'Название кампании', 'Сумма затрат (EUR)', 'Показы', 'Клики по ссылке'],
    'of two languages': ['Day', 'Kampagnenname', 'Amount spent (EUR)', 'Impressionen', 'Link clicks'],
  };

  it.each(Object.entries(HEADERS))('reads a report in %s, with a row of totals', (_, header) =>
    translateFiles(
      {
        'report.csv': [
          header.join(';'),
          '2026-09-01;Spring;"1.234,56";"12.345";120',
          '2026-09-02;Spring;99,90;900;',
          ';;"1.334,46";"13.245";120',
        ].join('\n'),
      },
      async ({ rows, rejects, sources }) => {
        expect(rejects).toEqual([]);
        expect(sources[0]?.source).toBe('meta-ads');
        expect(await rows('ad_costs', AD_COSTS)).toEqual([
          ['2026-09-01', 'Spring', 1234.56, 120, 12345],
          ['2026-09-02', 'Spring', 99.9, null, 900],
        ]);
      },
      { currency: 'EUR' },
    ),
  );

  it('keep the currency of a title', () =>
    expect(inEnglish(titlesOf('meta-ads'), ['Wydana kwota (PLN)', 'Montante gasto (EUR)'])).toEqual([
      'Amount spent (pln)',
      'Amount spent (eur)',
    ]));

  it('reads the day of a row whose report begins and ends on it', () =>
    translateFiles(
      {
        'report.csv':
          'Início dos relatórios,Encerramento dos relatórios,Nome da campanha,Valor usado (EUR)\n2026-09-01,2026-09-01,A,1.50\n',
      },
      async ({ rows }) =>
        expect(await rows('ad_costs', 'cast(day as varchar), cost')).toEqual([['2026-09-01', 1.5]]),
      { currency: 'EUR' },
    ));

  it.each(['Kampagnenname,Ausgegebener Betrag (EUR)', 'Campaign name,Amount spent (EUR)'])(
    'says that a report has no days: %s',
    async (header) => {
      expect(await refusalOf({ 'report.csv': `${header}\nA,1.50\n` }, { currency: 'EUR' })).toContain(
        'report.csv is a report of Meta without days',
      );
    },
  );
});

describe('WooCommerce', () => {
  /**
   * ID, type, SKU, name, published, visibility, starts, ends, in stock, stock, sale price, regular price,
   * categories, parent, first attribute.
   */
  const HEADERS = {
    de: 'ID|Typ|Artikelnummer|Name|Veröffentlicht|Sichtbarkeit im Katalog|Datum, an dem Angebotspreis beginnt|Datum, an dem Angebotspreis endet|Vorrätig?|Lager|Angebotspreis|Regulärer Preis|Kategorien|Übergeordnetes Produkt|Attribut 1 Wert(e)',
    fr: 'ID|Type|UGS|Nom|Publié|Visibilité dans le catalogue|Date de début de promo|Date de fin de promo|En stock\u00a0?|Stock|Tarif promo|Tarif régulier|Catégories|Parent|Valeur(s) de l’attribut 1 ',
    es: 'ID|Tipo|SKU|Nombre|Publicado|Visibilidad en el catálogo|Día en que empieza el precio rebajado|Día en que termina el precio rebajado|¿Existencias?|Inventario|Precio rebajado|Precio normal|Categorías|Superior|Valor(es) del atributo 1',
    it: 'ID|Tipo|COD|Nome|Pubblicato|Visibilità nel catalogo|Data di partenza del prezzo in saldo|Data in cui termina l’offerta|In stock?|Magazzino|Prezzo in offerta|Prezzo di listino|Categorie|Genitore|Attributo 1 valuta(e)',
    pl: 'ID|Typ|SKU|Nazwa|Opublikowano|Widoczność w katalogu|Data rozpoczęcia promocji|Data zakończenia promocji|W magazynie?|Stan magazynowy|Cena promocyjna|Cena|Kategorie|Element nadrzędny|Wartości atrybutu 1',
    cs: 'ID|Typ|Katalogové číslo|Jméno|Publikovaný|Viditelnost v katalogu|Sleva začíná dne|Sleva končí dne|Skladem?|Sklad|Cena po slevě|Běžná cena|Kategorie|Nadřazené|Hodnota(y) 1 vlastnosti',
    nl: 'ID|Type|Artikelnummer|Naam|Gepubliceerd|Zichtbaarheid in catalogus|Startdatum actieprijs|Einddatum actieprijs|Op voorraad?|Voorraad|Actieprijs|Reguliere prijs|Categorieën|Hoofd|Waarde eigenschap 1',
    pt: 'ID|Tipo|REF|Nome|Publicado|Visibilidade no catálogo|Data de início do preço promocional|Data de término do preço promocional|Em stock?|Stock|Preço promocional|Preço normal|Categorias|Pai|Atributo 1 valor(es)',
    'pt in Brazil':
      'ID|Tipo|SKU|Nome|Publicado|Visibilidade no catálogo|Data de preço promocional começa em|Data de preço promocional termina em|Em estoque?|Estoque|Preço promocional|Preço|Categorias|Ascendente|Valores do atributo 1',
    ru: 'ID|Тип|Артикул|Имя|Опубликован|Видимость в каталоге|Дата начала действия скидки|Дата окончания действия скидки|В наличии?|Запасы|Акционная цена|Базовая цена|Категории|Родительский|Значения атрибутов 1',
  } as const;

  const csv = (rows: readonly (readonly string[])[]) =>
    rows.map((row) => row.map((cell) => `"${cell}"`).join(',')).join('\n');
  const ROWS = [
    ['1', 'simple', 'BOWL', 'Bowl', '1', 'visible', '', '', '1', '5', '', '20,50', 'Kitchen', '', ''],
    ['2', 'variable', 'MUG', 'Mug', '1', 'visible', '', '', '1', '', '', '', 'Cups', '', 'Blue, Red'],
    [
      '3',
      'variation',
      'MUG-B',
      '',
      '1',
      'visible',
      '2020-01-01',
      '',
      '0',
      '0',
      '9,90',
      '12,00',
      '',
      'MUG',
      'Blue',
    ],
  ];

  it.each(Object.entries(HEADERS))('reads the products of an export in %s', (_, header) =>
    translateFiles(
      { 'products.csv': csv([header.split('|'), ...ROWS]) },
      async ({ rows, rejects, sources }) => {
        expect(rejects).toEqual([]);
        expect(sources[0]?.source).toBe('woocommerce-products-csv');
        expect(
          await rows(
            'products',
            'external_product_id, external_master_product_id, name, sku, price, original_price, stock_quantity, in_stock, categories',
          ),
        ).toEqual([
          ['1', null, 'Bowl', 'BOWL', 20.5, 20.5, 5, true, ['Kitchen']],
          ['3', '2', 'Mug - Blue', 'MUG-B', 9.9, 12, 0, false, ['Cups']],
        ]);
      },
    ),
  );

  it('says which column a half-translated export lacks', async () => {
    const header = HEADERS.de.replace('Regulärer Preis', 'Normalpreis').split('|');
    expect(await refusalOf({ 'products.csv': csv([header, ...ROWS]) })).toContain(
      'lacks "regular price" (prices)',
    );
  });
});

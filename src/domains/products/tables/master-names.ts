import { relation, workTable } from '../../../model-table/model-table.ts';
import { stored } from '../../../model-table/stored-tables.ts';

/** The words after these are not looked at in a longer name: what variants share stands early. */
const MOST_WORDS = 40;

/**
 * Characters between or around words; brackets and quotes only where they open at the end or close at the
 * start.
 */
const BEFORE_A_NAME = String.raw`^[\s,;:/|–—·+&)\]}-]+`;
const AFTER_A_NAME = String.raw`[\s,;:/|–—·+&(\[{-]+$`;
const UNCLOSED_BRACKET = String.raw`[(\[{]([^)\]}]*)$`;
const UNOPENED_BRACKET = String.raw`^([^(\[{]*)[)\]}]`;

/** `"Alpha",`, `alpha` and `Alpha` are one word; ` – ` is no word. */
const bare = (word: string) =>
  String.raw`lower(regexp_replace(${word}, '^[^\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+$', '', 'g'))`;

/** The bare words of a name with a blank around each, so that whole words are found in it. */
const searchable = (name: string) =>
  String.raw`lower(regexp_replace(' ' || ${name} || ' ', '[^\p{L}\p{M}\p{N}]*\s[^\p{L}\p{M}\p{N}]*', ' ', 'g'))`;

/** The same of bare words. */
const spaced = (words: string) =>
  `' ' || array_to_string([word for word in ${words} if word <> ''], ' ') || ' '`;

const isInAll = (run: string) => `len([text for text in all_searched if not contains(text, ${run})]) = 0`;

/**
 * Whether a run of words, as `spaced` gives them, tells what a product is: `shirt` does, and `cup` in
 * `cup red`; `for` in `shirt for men` does not. It has a word of at least four letters, or is at least a
 * third of the shortest name.
 */
const isTelling = `(regexp_matches(run_letters, '[^ ]{4}')
  or regexp_matches(run_letters, '[^ ]') and 3 * length(trim(run)) >= shortest_length)`;

/**
 * Keeps letters and blanks of a run. A class of letters takes a millisecond to compile, and one in a
 * repetition as often as it repeats.
 */
const letters = (run: string) => String.raw`regexp_replace(${run}, '[^\p{L} ]', '', 'g')`;

/** The words from one to another of the shortest name. */
const wordsOfRun = 'bare_words[first_word:last_word]';

/** Products of the catalogue that name another as their master product; many catalogues have none. */
const variants = workTable({
  name: 'variants',
  types: { external_master_product_id: 'varchar', name: 'varchar' },
  rows: relation`
select external_master_product_id, name from ${stored.products} where external_master_product_id is not null`,
});

export const masterNames = workTable({
  name: 'master_names',
  types: { master_product_id: 'varchar', master_name: 'varchar' },
  needs: [variants],
  // The name of the master product, if the catalogue has one. Otherwise it is the longest run of words that
  // the names of all variants share, if it says what the product is: as the shortest name writes it, and the
  // first of several. Null where they share none. A run of words that all names have is mostly shared as a
  // whole; only where it is not are its parts tried one by one.
  rows: relation`
with named as (
  select external_product_id as master_product_id, name as master_name
  from ${stored.products} where external_master_product_id is distinct from external_product_id
),
names as (
  select distinct external_master_product_id as master_product_id, name
  from ${variants} where external_master_product_id not in (select master_product_id from named)
),
masters as (
  select *, [${bare('word')} for word in words] as bare_words
  from (
    select master_product_id, count(*) as names_count, list(searched) as all_searched,
      arg_min(name, (length(searched), searched, name)) as shortest, min(length(trim(searched))) as shortest_length,
      string_split_regex(trim(shortest), '\\s+')[:${MOST_WORDS}] as words
    from (select master_product_id, name, ${searchable('name')} as searched from names)
    group by master_product_id
  )
),
words as (
  select master_product_id, place, word, word = '' or ${isInAll("' ' || word || ' '")} as is_shared
  from (
    select master_product_id, all_searched, unnest(range(1, len(words) + 1)) as place,
      unnest(bare_words) as word
    from masters where names_count > 1
  )
),
stretches as (
  -- What is no word, such as a dash, ends none.
  select master_product_id, min(place) as first_word, max(place) filter (where word <> '') as last_word
  from (
    select *, place - row_number() over (partition by master_product_id order by place) as stretch
    from words where is_shared
  )
  group by master_product_id, stretch
  having last_word is not null
),
tried as (
  select master_product_id, first_word, last_word, ${isInAll(spaced(wordsOfRun))} as is_shared
  from stretches join masters using (master_product_id)
),
parts as (
  select master_product_id, part_start as first_word, unnest(range(part_start, last_word + 1)) as last_word
  from (select *, unnest(range(first_word, last_word + 1)) as part_start from tried where not is_shared)
),
shared as (
  select master_product_id, first_word, last_word from tried where is_shared
  union all
  select master_product_id, first_word, last_word
  from parts join masters using (master_product_id) where ${isInAll(spaced(wordsOfRun))}
),
longest as (
  select master_product_id, array_to_string(words[first_word:last_word], ' ') as part
  from (
    select *, ${letters('run')} as run_letters
    from (select *, ${spaced(wordsOfRun)} as run from shared join masters using (master_product_id))
  )
  where ${isTelling}
  qualify row_number() over (partition by master_product_id order by length(run) desc, first_word, last_word) = 1
),
trimmed as (
  select master_product_id,
    regexp_replace(regexp_replace(part, '${BEFORE_A_NAME}', ''), '${AFTER_A_NAME}', '') as part
  from longest
)
select master_product_id, master_name from named
union all
select master_product_id, case when names_count = 1 then shortest
  else trim(regexp_replace(regexp_replace(part, '${UNCLOSED_BRACKET}', '\\1'), '${UNOPENED_BRACKET}', '\\1')) end
from masters left join trimmed using (master_product_id)`,
});

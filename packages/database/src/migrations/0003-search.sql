-- Search: what is compared, and the settings that are in use.

-- The map's json.search as it was when the publication tree was last saved; null: none.
alter table cartulary.container add column search jsonb;
update cartulary.container set search = json -> 'search' where type = 'map' and tree_saved;

-- A text as the search compares it: words in small letters without diacritics, a space around each; only its first 1,000
-- characters. src/search/words.ts says the same in JavaScript. It depends on no locale, no dictionary and no extension,
-- so that an index over it is right on every server: "lower" under the locale and "unaccent" would not be.
create function cartulary.search_text(value text) returns text
  language plpgsql immutable parallel safe cost 300 as $$
declare
  folded text := left(value, 1000);
  rare constant text :=
        'ĦŊŦƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƢƤƦƧƩƬƮƱƲƳƵƷƸƼǤǶǷȜȠȢȤȺȻȽȾɁɃɄɅɆɈɊɌɎͰͲͶͿϏϘϚϜϞϠϢϤϦϨϪϬϮϷϺϽϾϿЅѠѢѤѦѨѪѬѮѰѲ'
        'ѴѸѺѼѾҀҊҌҎҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӃӅӇӉӋӍӔӘӠӨӶӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃ'
        'ՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖħŧŋ';
begin
  if octet_length(folded) = length(folded) then
    folded := translate(lower(folded collate "C"), '''`', '');
  else
    folded := translate(normalize(folded, NFKD),
        'ABCDEFGHIJKLMNOPQRSTUVWXYZÆÐØÞĐŁŒΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩЂЄІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩ'
        'ЪЫЬЭЮЯҐẞøđðıłς',
        'abcdefghijklmnopqrstuvwxyzædoþdlœαβγδεζηθικλμνξοπρστυφχψωђєіјљњћџабвгдежзиклмнопрстуфхцчшщ'
        'ъыьэюяґßoddilσ');
    -- The seldom ones apart: translate takes as long as its list is.
    if folded ~ ('[' || rare || ']') then
      folded := translate(folded, rare,
        'hntɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵƣƥʀƨʃƭʈʊʋƴƶʒƹƽǥƕƿȝƞȣȥⱥȼƚⱦɂƀʉʌɇɉɋɍɏͱͳͷϳϗϙϛϝϟϡϣϥϧϩϫϭϯϸϻͻͼͽѕѡѣѥѧѩѫѭѯѱѳ'
        'ѵѹѻѽѿҁҋҍҏғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӄӆӈӊӌӎӕәӡөӷӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճ'
        'մյնշոչպջռսվտրցւփքօֆhtn');
    end if;
    folded := replace(replace(replace(replace(replace(folded, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), U&'\0438\0306', 'й');
    folded := regexp_replace(folded,
      '[\u0027\u0060\u00ad\u02b9-\u02bd\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670\u200b-\u200f\u2018\u2019\u201b\u202a-\u202e\u2060-\u2064\ufeff]+', '', 'g');
    if folded ~ '[\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]' then
      folded := regexp_replace(folded,
        '[\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff][\u3099\u309a]?', ' \& ', 'g');
    end if;
  end if;
  return ' ' || btrim(regexp_replace(folded,
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u02c2-\u02df\u055a-\u055f\u0589\u058a\u05be\u05c0\u05c3\u05f3\u05f4\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u2000-\u2bff\u3000-\u3004\u3008-\u3020\u3030\u30fb\ufffd\U0001f000-\U0001faff]+', ' ', 'g')) || ' ';
end $$;

-- The values of all languages of a localized column, a line each, with an empty one before and after.
create function cartulary.search_text(localized jsonb) returns text
  language plpgsql immutable parallel safe cost 600 as $$
begin
  return (select E'\n' || string_agg(cartulary.search_text(value), E'\n' order by key) || E'\n'
    from jsonb_each_text(localized));
end $$;

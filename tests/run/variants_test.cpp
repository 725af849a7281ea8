#include "abut/run/variants.hpp"

#include "abut/base/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace abut {

using Words = std::vector<std::string>;

TEST(Variants, SplitsValuesAtCommasOutsideOfBracketsAndQuotes)
{
    EXPECT_EQ(split_values("ipc,ogc"), (Words{"ipc", "ogc"}));
    EXPECT_EQ(split_values("[0,-9.81,0], [0, 0, 0]"), (Words{"[0,-9.81,0]", "[0, 0, 0]"}));
    EXPECT_EQ(split_values(R"({"a":[1,2],"b":"}"},2)"), (Words{R"({"a":[1,2],"b":"}"})", "2"}));
    EXPECT_EQ(split_values(R"("a,b","c\",d")"), (Words{R"("a,b")", R"("c\",d")"}));
    EXPECT_EQ(split_values(""), Words{""});
    EXPECT_EQ(split_values("a,,b"), (Words{"a", "", "b"}));
}

TEST(Variants, RejectsKeysWithoutValues)
{
    EXPECT_EQ(parse_varied_key("a.b=1,2").key, "a.b");
    EXPECT_EQ(parse_varied_key("a=b=c").values, Words{"b=c"});
    for (const char* const text : {"a", "=1", "a=", "a=1,", "a=,1", "a=1,,2", ""})
        EXPECT_THROW(static_cast<void>(parse_varied_key(text)), InvalidInput) << text;
}

TEST(Variants, CombineAllValuesAndTheLastKeyChangesFastest)
{
    const Variants variants = all_combinations({{"a", {"1", "2"}}, {"b", {"x", "y", "z"}}});
    ASSERT_EQ(variants.list.size(), 6U);
    EXPECT_EQ(variants.settings_of(variants.list[0]), (Words{"a=1", "b=x"}));
    EXPECT_EQ(variants.settings_of(variants.list[1]), (Words{"a=1", "b=y"}));
    EXPECT_EQ(variants.settings_of(variants.list[5]), (Words{"a=2", "b=z"}));
}

TEST(Variants, RejectWhatComesTwiceAndWhatIsTooMany)
{
    EXPECT_THROW(static_cast<void>(all_combinations({{"a", {"1", "1"}}})), InvalidInput);
    EXPECT_THROW(static_cast<void>(all_combinations({{"a", {"1"}}, {"a", {"2"}}})), InvalidInput);
    EXPECT_THROW(static_cast<void>(all_combinations({{"a", {}}})), InvalidInput);
    Words many(101);
    for (std::size_t k = 0; k < many.size(); ++k)
        many[k] = std::to_string(k);
    EXPECT_EQ(all_combinations({{"a", many}}).list.size(), 101U);
    EXPECT_THROW(static_cast<void>(all_combinations({{"a", many}, {"b", many}})), InvalidInput);
}

TEST(Variants, HaveFoldersThatAreSafeAndDifferWhateverTheValues)
{
    const Words values{
        "../../x",
        "/etc/passwd",
        "a b",
        "a\nb",
        ".",
        "..",
        "CON",
        "\xff\xfe",
        "[1, 2]",
        "A",
        "a",
        std::string(5000, 'z'),
        std::string(5000, 'z') + "y",
        "a/b",
        "a\\b",
        "\"q\"",
        "$(rm)",
        "-rf"};
    const Variants variants = all_combinations({{"some.key", values}});
    std::set<std::string> folders;
    for (const Variant& variant : variants.list) {
        EXPECT_LE(variant.folder.size(), 80U);
        EXPECT_NE(variant.folder[0], '-');
        EXPECT_NE(variant.folder[0], '.');
        EXPECT_TRUE(std::all_of(variant.folder.begin(), variant.folder.end(), [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '_';
        })) << variant.folder;
        std::string lower = variant.folder;
        std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
        folders.insert(lower);
    }
    EXPECT_EQ(folders.size(), values.size());
    EXPECT_EQ(variants.list[3].folder, "04-some.key_a_b");
}

TEST(Variants, OfATableAreItsRowsAndEmptyCellsLeaveTheKeyAlone)
{
    const Variants variants = parse_variants(
        "\xef\xbb\xbf"
        "contact.model, gravity,name\r\n"
        "ipc,\"[0, -1, 0]\",\r\n\n"
        " ogc ,,\"say \"\"hi\"\", twice\"\n",
        "runs.csv");
    EXPECT_EQ(variants.keys, (Words{"contact.model", "gravity", "name"}));
    ASSERT_EQ(variants.list.size(), 2U);
    EXPECT_EQ(variants.settings_of(variants.list[0]), (Words{"contact.model=ipc", "gravity=[0, -1, 0]"}));
    EXPECT_EQ(variants.settings_of(variants.list[1]), (Words{"contact.model=ogc", "name=say \"hi\", twice"}));
}

TEST(Variants, RejectTablesThatAreNone)
{
    for (const char* const text :
         {"", "a,b\n", "a,b\n1\n", "a,b\n1,2,3\n", "a,a\n1,2\n", "a,\n1,2\n", "a\n1\n1\n", "a\n\"1\n", "a\n\"1\"2\n"})
        EXPECT_THROW(static_cast<void>(parse_variants(text, "runs.csv")), InvalidInput) << text;
    try {
        static_cast<void>(parse_variants("a\n1\n2\n\n1\n", "runs.csv"));
        FAIL();
    } catch (const InvalidInput& error) {
        EXPECT_STREQ(error.what(), "runs.csv:5: the same as line 2; leave one of them out");
    }
}

} // namespace abut

#include "abut/io/unique_names.hpp"

#include <gtest/gtest.h>

namespace abut::test::unique_names_test {
namespace {

using Names = std::vector<std::string>;

TEST(UniqueNames, IdentifiersAreLettersDigitsAndUnderscores)
{
    const Names names{"cloth", "my cloth", "my-cloth", "3rd", "", "Würfel", "布", "a\"b\\c\n", "cloth"};
    EXPECT_EQ(
        unique_identifiers(names),
        (Names{"cloth", "my_cloth", "my_cloth_2", "_3rd", "_", "W_rfel", "__2", "a_b_c_", "cloth_2"}));
}

TEST(UniqueNames, ANumberThatIsTakenIsPassedOver)
{
    EXPECT_EQ(unique_identifiers(Names{"a_2", "a", "a", "a"}), (Names{"a_2", "a", "a_3", "a_4"}));
}

TEST(UniqueNames, FileNamesKeepLettersOfAllLanguagesAndHaveNoSignsWithAMeaning)
{
    const Names names{"布 one", "../../etc/passwd", "a\nb", "Ball", "ball", "", ".hidden", "-rf", "CON:", "end. "};
    EXPECT_EQ(
        unique_file_names(names),
        (Names{"布 one", "_.._.._etc_passwd", "a_b", "Ball", "ball_2", "_", "_.hidden", "_-rf", "CON_", "end"}));
}

TEST(UniqueNames, LongFileNamesEndWithAWholeCharacter)
{
    std::string name;
    for (int k = 0; k < 200; ++k)
        name += "布"; // 3 bytes
    const Names made = unique_file_names(Names{name, name});
    EXPECT_EQ(made[0], name.substr(0, 99));
    EXPECT_EQ(made[1], name.substr(0, 99) + "_2");
}

} // namespace
} // namespace abut::test::unique_names_test

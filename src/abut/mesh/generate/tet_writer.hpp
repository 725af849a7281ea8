#pragma once
// Fills the rows of a tet array one after the other. Internal to the generators.

#include "abut/base/assert.hpp"
#include "abut/math/types.hpp"

#include <cstdint>

namespace abut::generate::detail {

class TetWriter {
public:
    explicit TetWriter(Tets& tets) : tets_(tets) {}
    TetWriter(const TetWriter&) = delete;
    TetWriter& operator=(const TetWriter&) = delete;
    ~TetWriter() { ABUT_ASSERT(next_ == tets_.rows()); } // every row was filled

    void tet(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d)
    {
        tets_.row(next_++) << static_cast<int>(a), static_cast<int>(b), static_cast<int>(c), static_cast<int>(d);
    }

private:
    Tets& tets_;
    Eigen::Index next_ = 0;
};

} // namespace abut::generate::detail

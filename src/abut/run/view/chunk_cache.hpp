#pragma once
// Frames that were coded not long ago, up to a number of bytes.

#include "abut/run/view/file_identity.hpp"
#include "abut/run/view/source.hpp"

#include <list>
#include <map>

namespace abut {

class ChunkCache {
public:
    explicit ChunkCache(std::size_t most_bytes) : most_bytes_(most_bytes) {}

    /// The chunk of a step, if it was made from this file.
    [[nodiscard]] SharedBytes find(int step, const FileIdentity& file)
    {
        const auto known = by_step_.find(step);
        if (known == by_step_.end())
            return nullptr;
        if (known->second->file != file) {
            erase(known->second);
            return nullptr;
        }
        entries_.splice(entries_.begin(), entries_, known->second);
        return known->second->bytes;
    }

    /// Those that were not asked for the longest go. What is larger than the cache is not kept.
    void add(int step, const FileIdentity& file, SharedBytes bytes)
    {
        if (const auto known = by_step_.find(step); known != by_step_.end())
            erase(known->second);
        if (bytes->size() > most_bytes_)
            return;
        num_bytes_ += bytes->size();
        entries_.push_front({step, file, std::move(bytes)});
        by_step_[step] = entries_.begin();
        while (num_bytes_ > most_bytes_)
            erase(std::prev(entries_.end()));
    }

    void clear()
    {
        entries_.clear();
        by_step_.clear();
        num_bytes_ = 0;
    }
    [[nodiscard]] std::size_t num_bytes() const { return num_bytes_; }

private:
    struct Entry {
        int step;
        FileIdentity file;
        SharedBytes bytes;
    };
    using Entries = std::list<Entry>;

    void erase(Entries::iterator entry)
    {
        num_bytes_ -= entry->bytes->size();
        by_step_.erase(entry->step);
        entries_.erase(entry);
    }

    std::size_t most_bytes_, num_bytes_ = 0;
    Entries entries_; // the one asked for last is first
    std::map<int, Entries::iterator> by_step_;
};

} // namespace abut

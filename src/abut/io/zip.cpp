#include "abut/io/zip.hpp"

#include "abut/base/assert.hpp"
#include "abut/io/deflate.hpp"

#include <zlib.h>

#include <cstdint>
#include <limits>

namespace abut {

namespace {

void put(std::string& bytes, std::uint64_t value, int count)
{
    for (int k = 0; k < count; ++k)
        bytes.push_back(static_cast<char>(value >> (8 * k) & 0xff));
}

constexpr int version_needed = 20; // 2.0: folders and deflate
constexpr int names_are_utf8 = 1 << 11;
constexpr int method_deflate = 8;
constexpr int first_day = 1 << 5 | 1; // 1980-01-01, the zero of ZIP's calendar

/// What the header of an entry and the list at the end have in common.
std::string description(const ZipEntry& entry, std::size_t packed)
{
    std::string bytes;
    put(bytes, version_needed, 2);
    put(bytes, names_are_utf8, 2);
    put(bytes, method_deflate, 2);
    put(bytes, 0, 2);
    put(bytes, first_day, 2);
    put(bytes, crc32_z(0, reinterpret_cast<const Bytef*>(entry.bytes.data()), entry.bytes.size()), 4);
    put(bytes, packed, 4);
    put(bytes, entry.bytes.size(), 4);
    put(bytes, entry.name.size(), 2);
    put(bytes, 0, 2); // no extra field
    return bytes;
}

} // namespace

std::string zip(std::span<const ZipEntry> entries)
{
    std::string archive, list;
    for (const ZipEntry& entry : entries) {
        const std::size_t offset = archive.size();
        const std::string packed = deflated_raw(entry.bytes), about = description(entry, packed.size());
        put(archive, 0x04034b50, 4);
        archive += about + entry.name + packed;
        put(list, 0x02014b50, 4);
        put(list, version_needed, 2); // made by
        list += about;
        put(list, 0, 2);     // no comment
        put(list, 0, 2);     // disk
        put(list, 0, 2 + 4); // attributes
        put(list, offset, 4);
        list += entry.name;
        ABUT_ASSERT(archive.size() < std::numeric_limits<std::uint32_t>::max());
    }
    const std::size_t offset = archive.size();
    archive += list;
    put(archive, 0x06054b50, 4);
    put(archive, 0, 4); // disks
    put(archive, entries.size(), 2);
    put(archive, entries.size(), 2);
    put(archive, list.size(), 4);
    put(archive, offset, 4);
    put(archive, 0, 2); // no comment
    return archive;
}

} // namespace abut

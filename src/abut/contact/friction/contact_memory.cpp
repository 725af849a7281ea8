#include "abut/contact/friction/contact_memory.hpp"

#include "abut/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace abut {

std::vector<double> to_numbers(const std::vector<ContactNumbers>& contacts, int dim)
{
    std::vector<double> all;
    all.reserve(contacts.size() * (3 + dim));
    for (const ContactNumbers& contact : contacts) {
        all.push_back(static_cast<double>(contact.kind) + 8.0 * contact.elements[0]);
        all.push_back(contact.elements[1]);
        all.insert(all.end(), contact.slip.data(), contact.slip.data() + dim);
        all.push_back(contact.number);
    }
    return all;
}

std::vector<ContactNumbers>
contacts_from(const CollisionMesh& mesh, std::span<const double> numbers, std::string_view name)
{
    const int dim = mesh.dim();
    const std::size_t stride = 3 + dim;
    if (numbers.size() % stride != 0)
        reject(
            "{}: {} numbers are not {} for each contact; start anew instead of resuming", name, numbers.size(), stride);
    const auto count = [&](ElementKind kind) {
        switch (kind) {
        case ElementKind::edge:
            return mesh.num_edges();
        case ElementKind::face:
            return mesh.num_faces();
        case ElementKind::plane:
            return static_cast<int>(mesh.planes().size());
        default:
            return mesh.num_vertices();
        }
    };
    std::vector<ContactNumbers> contacts;
    contacts.reserve(numbers.size() / stride);
    for (std::size_t k = 0; k < numbers.size(); k += stride) {
        const auto at = numbers.subspan(k, stride);
        bool is_right = at[0] >= 0 && at[0] < 8e9 && at[1] >= 0 && at[1] < 1e9 && std::abs(at[stride - 1]) > 0 &&
                        std::all_of(at.begin(), at.end(), [](double number) { return std::isfinite(number); });
        ContactNumbers contact;
        if (is_right) {
            const auto packed = static_cast<std::int64_t>(at[0]);
            contact.elements = {static_cast<int>(packed / 8), static_cast<int>(at[1])};
            const std::int64_t kind = packed % 8;
            is_right = kind >= 1 && kind <= 5 && exists_in(dim, static_cast<PairKind>(kind));
            contact.kind = static_cast<PairKind>(is_right ? kind : 0);
        }
        if (is_right)
            for (int side = 0; side < 2; ++side)
                is_right = is_right && contact.elements[side] < count(element_kinds(contact.kind)[side]);
        if (!is_right)
            reject("{}: contact {} is none of this mesh; start anew instead of resuming", name, k / stride);
        std::copy_n(at.begin() + 2, dim, contact.slip.data());
        contact.number = at[stride - 1];
        contacts.push_back(contact);
    }
    return contacts;
}

} // namespace abut

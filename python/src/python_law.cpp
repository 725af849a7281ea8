#include "python_law.hpp"

#include "threads.hpp"

namespace abut::python {

namespace {

std::string name_of(const py::object& callable)
{
    const py::object name = py::getattr(callable, "__name__", py::none());
    return py::str(py::isinstance<py::str>(name) ? name : py::type::of(callable).attr("__name__"));
}

/// A law that asks Python. One thread at a time evaluates it, and takes the interpreter lock for that.
class PythonLaw final : public NormalLaw {
public:
    PythonLaw(const py::object& law, const py::object& unit, DistanceKind kind)
        : law_(law), unit_(unit), name_(name_of(law)), kind_(kind)
    {}

    void evaluate(
        const ContactRange& range, std::span<const double> squared_distances, std::span<LawTerm> terms) const override
    {
        const std::size_t n = squared_distances.size();
        const double x_hat = extent(range);
        const py::gil_scoped_acquire acquire;
        py::array_t<double> x(static_cast<py::ssize_t>(n));
        for (std::size_t k = 0; k < n; ++k)
            x.mutable_data()[k] = kind_ == DistanceKind::squared ? squared_distances[k] - range.dmin * range.dmin
                                                                 : std::sqrt(squared_distances[k]) - range.dmin;
        const std::vector<double> argument(x.data(), x.data() + n); // the callable may write to x
        const py::object result = (*law_)(x, x_hat);
        const std::array<Reals, 3> parts = read(result, n);
        for (std::size_t k = 0; k < n; ++k) {
            std::array<double, 3> at;
            for (std::size_t p = 0; p < 3; ++p) {
                at[p] = parts[p].values[parts[p].values.size() == 1 ? 0 : k];
                if (std::isnan(at[p]))
                    reject("law '{}': its {} is nan at x = {}, x_hat = {}", name_, part_names[p], argument[k], x_hat);
            }
            terms[k] = by_squared_distance({at[0], at[1], at[2]}, squared_distances[k]);
        }
    }

    [[nodiscard]] double unit(const ContactRange& range) const override
    {
        const double x_hat = extent(range);
        const py::gil_scoped_acquire acquire;
        if ((*unit_).is_none())
            return x_hat * x_hat;
        const py::object result = (*unit_)(x_hat);
        py::detail::make_caster<double> caster;
        if (!caster.load(result, true))
            reject_type("law_unit of law '{}': expected a number, got {}", name_, repr_of(result));
        const double unit = caster;
        if (!(unit > 0 && std::isfinite(unit)))
            reject("law_unit of law '{}': {} is not a positive number", name_, unit);
        return unit;
    }

    [[nodiscard]] DistanceKind distance_kind() const override { return kind_; }
    [[nodiscard]] std::string name() const override
    {
        return name_ + (kind_ == DistanceKind::squared ? " of the squared distance" : " of the distance");
    }
    [[nodiscard]] bool is_concurrent() const override { return false; }

private:
    static constexpr std::array part_names{"value", "first derivative", "second derivative"};

    [[nodiscard]] double extent(const ContactRange& range) const
    {
        return kind_ == DistanceKind::squared ? (2 * range.dmin + range.dhat) * range.dhat : range.dhat;
    }

    /// The three arrays that the callable returned, each of n numbers or of one.
    [[nodiscard]] std::array<Reals, 3> read(const py::object& result, std::size_t n) const
    {
        const bool is_sequence = py::isinstance<py::tuple>(result) || py::isinstance<py::list>(result) ||
                                 (py::isinstance<py::array>(result) && py::array(result).ndim() > 0);
        if (!is_sequence || py::len(result) != 3)
            reject_type(
                "law '{}': expected (value, first, second), got {}", name_,
                is_sequence ? fmt::format("{} items", py::len(result)) : type_name(result));
        std::array<Reals, 3> parts;
        for (std::size_t p = 0; p < 3; ++p) {
            const std::string part_name = fmt::format("law '{}', {}", name_, part_names[p]);
            const py::object part = result[py::int_(p)];
            parts[p] = reals_argument(part, part_name.c_str());
            const bool fits = parts[p].shape.empty() || (parts[p].shape.size() == 1 &&
                                                         (parts[p].values.size() == n || parts[p].values.size() == 1));
            if (!fits)
                reject(
                    "{}: expected shape ({},) as x has, or a number, got shape ({})", part_name, n,
                    fmt::join(parts[p].shape, ", "));
        }
        return parts;
    }

    /// The same by the squared distance D: as OnDistance has it.
    [[nodiscard]] LawTerm by_squared_distance(const LawTerm& b, double D) const
    {
        if (kind_ == DistanceKind::squared)
            return b;
        const double d = std::sqrt(D), d_D = 0.5 / d;
        return {b.value, b.first * d_D, (b.second - b.first / d) * d_D * d_D};
    }

    SharedObject law_, unit_;
    std::string name_;
    DistanceKind kind_;
};

} // namespace

DistanceKind distance_argument(const std::string& value, const char* name)
{
    if (value != "squared" && value != "plain")
        reject("{}: expected \"squared\" or \"plain\", got \"{}\"", name, value);
    return value == "squared" ? DistanceKind::squared : DistanceKind::plain;
}

std::shared_ptr<const NormalLaw> law_argument(const py::object& law, DistanceKind distance, const py::object& unit)
{
    if (!unit.is_none() && PyCallable_Check(unit.ptr()) == 0)
        reject_type("law_unit: expected a callable of x_hat, got {}", repr_of(unit));
    if (py::isinstance<py::str>(law)) {
        if (!unit.is_none())
            reject("law_unit: only a law of your own needs one; '{}' has its own", std::string(py::str(law)));
        return normal_law(py::str(law), distance);
    }
    if (PyCallable_Check(law.ptr()) == 0)
        reject_type("law: expected a name or a callable of (x, x_hat), got {}", repr_of(law));
    return std::make_shared<PythonLaw>(law, unit, distance);
}

} // namespace abut::python

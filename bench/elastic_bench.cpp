// Time per elastic element, by model and by what is asked for, on one thread.

#include "abut/base/parallel.hpp"
#include "abut/base/random.hpp"
#include "abut/elastic/hinge_bending.hpp"
#include "abut/elastic/plastic_solids.hpp"
#include "abut/elastic/simplex_elasticity.hpp"
#include "abut/mesh/generate/generators.hpp"

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

namespace abut {
namespace {

enum class Asked { value, gradient, exact_hessian, projected_hessian };

const char* name_of(Asked asked)
{
    constexpr const char* names[]{"value", "gradient", "exact_hessian", "projected_hessian"};
    return names[static_cast<int>(asked)];
}

Positions shaken(Positions x, double size)
{
    RandomStream random(1);
    for (double& coordinate : x.reshaped())
        coordinate += random.uniform(-size, size);
    return x;
}

template <typename Energy>
void time_elements(benchmark::State& state, const Energy& energy, const Positions& x, Asked asked)
{
    const Stencils& stencils = energy.stencils();
    std::vector<double> values(stencils.size()), gradients(stencils.num_entries() * x.cols()),
        blocks(stencils.num_blocks() * x.cols() * x.cols());
    TermOutput out;
    if (asked == Asked::value)
        out.values = values.data();
    else if (asked == Asked::gradient)
        out.gradients = gradients.data();
    else {
        out.blocks = blocks.data();
        if (asked == Asked::projected_hessian)
            out.hessian = HessianForm::clamp;
    }
    const int threads = num_threads();
    set_num_threads(1);
    for (auto _ : state) {
        energy.evaluate(x, out);
        benchmark::ClobberMemory();
    }
    set_num_threads(threads);
    state.counters["per_element"] = benchmark::Counter(
        static_cast<double>(stencils.size()),
        benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

template <typename Energy>
void add(const std::string& name, std::shared_ptr<const Energy> energy, const Positions& x)
{
    for (const Asked asked : {Asked::value, Asked::gradient, Asked::exact_hessian, Asked::projected_hessian})
        benchmark::RegisterBenchmark((name + "/" + name_of(asked)).c_str(), [=](benchmark::State& state) {
            time_elements(state, *energy, x, asked);
        });
}

const int registered = [] {
    const IsotropicModuli moduli{.young = 1e6, .poisson = 0.4};
    const MeshData solid = generate::tet_box({.subdivisions = {8, 8, 8}}); // 2560 tetrahedra
    const Positions x = shaken(solid.vertices, 0.02);
    for (const ElasticModel model :
         {ElasticModel::neo_hookean, ElasticModel::stable_neo_hookean, ElasticModel::fixed_corotated,
          ElasticModel::stvk, ElasticModel::hencky})
        add("elastic/tet/" + std::string(to_string(model)),
            std::make_shared<const TetElasticity>(
                solid.vertices, solid.tets, SolidOptions{.model = model, .lame = {lame_parameters(moduli)}}),
            x);
    // The same elements where about all of them flow, and where none does
    for (const auto& [name, yield_stress] : {std::pair{"flows", 1e3}, std::pair{"does_not_flow", 1e9}}) {
        const auto plastic = std::make_shared<PlasticSolids<3>>(
            TetElasticity(
                solid.vertices, solid.tets,
                SolidOptions{.model = ElasticModel::hencky, .lame = {lame_parameters(moduli)}}),
            std::vector<Plasticity>(static_cast<std::size_t>(solid.tets.rows()), {yield_stress, 1e4, 0}));
        plastic->begin_step(plastic->initial(), 0.01);
        add<PlasticSolids<3>>(std::string("elastic/tet/hencky_that_") + name, plastic, x);
    }
    const MeshData sheet = generate::cloth({.cells = {32, 32}}); // 2048 triangles
    const Positions y = shaken(sheet.vertices, 0.005);
    add("elastic/membrane/fixed_corotated",
        std::make_shared<const MembraneElasticity>(
            sheet.vertices, sheet.faces,
            MembraneOptions{.lame = {plane_stress_lame_parameters(moduli)}, .thickness = {1e-3}}),
        y);
    add("elastic/hinge",
        std::make_shared<const HingeBending>(
            sheet.vertices, sheet.faces, HingeOptions{.stiffness = {plate_stiffness(moduli, 1e-3)}}),
        y);

    benchmark::RegisterBenchmark("elastic/tet/largest_uninverted_step", [solid](benchmark::State& state) {
        const TetElasticity energy(solid.vertices, solid.tets, {.lame = {LameParameters{1, 1}}});
        const Positions dx = shaken(Positions::Zero(solid.vertices.rows(), 3), 0.1);
        const int threads = num_threads();
        set_num_threads(1);
        for (auto _ : state)
            benchmark::DoNotOptimize(energy.largest_uninverted_step(solid.vertices, dx));
        set_num_threads(threads);
        state.counters["per_element"] = benchmark::Counter(
            static_cast<double>(solid.tets.rows()),
            benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
    });
    return 0;
}();

} // namespace
} // namespace abut

#pragma once

#include "abut/detect/detection.hpp"
#include "abut/mesh/validate.hpp"
#include "candidates.hpp"
#include "threads.hpp"

namespace abut::python {

/// What an update found. It never changes: the next update makes another, so that arrays of this one stay valid.
struct DetectionResults {
    std::shared_ptr<NearPairs> pairs = std::make_shared<NearPairs>();
    SharedCandidates candidates;
    double smallest_distance = std::numeric_limits<double>::infinity();
    int num_searches = 0;
};

/// A Detection that Python threads may read while one of them updates it. Its members other than `detection` are
/// guarded by the interpreter lock.
class SharedDetection {
public:
    SharedDetection(const CollisionMesh& mesh, const DetectionOptions& options)
        : mesh_(&mesh), detection_(mesh, options)
    {}

    void update(Positions X)
    {
        // No lock to wait for: a filter's callable that updates the object it is called for would wait forever.
        if (num_updates_ + num_reads_ > 0)
            throw std::runtime_error(
                num_updates_ > 0 ? "update: another update of this Detection is under way; give each thread its own"
                                 : "update: collisions are being built from this Detection; give each thread its own");
        const InUse in_use(num_updates_);
        updated_at_.resize(0, 0);
        results_ = without_gil([&] {
            detection_.update(X);
            return collect();
        });
        updated_at_ = std::move(X);
    }

    /// Runs work(detection) without the interpreter lock, if its pairs are those of this mesh at X.
    template <typename Work>
    void read_at(const CollisionMesh& mesh, const Positions& X, Work&& work)
    {
        if (num_updates_ > 0)
            throw std::runtime_error("detection: it is being updated; wait for that, or give each thread its own");
        if (mesh_ != &mesh)
            reject("detection: it was made for another mesh");
        validate_positions(X, mesh.num_vertices(), mesh.dim(), "X");
        if (updated_at_.size() == 0 || updated_at_ != X)
            reject("detection: it was not updated at these positions; call detection.update(X) first");
        const InUse in_use(num_reads_);
        without_gil([&] { work(detection_); });
    }

    [[nodiscard]] double range() const { return detection_.range(); }
    [[nodiscard]] const DetectionResults& results() const { return results_; }

private:
    [[nodiscard]] DetectionResults collect() const
    {
        DetectionResults results{
            std::make_shared<NearPairs>(detection_.pairs()), results_.candidates, detection_.smallest_distance(),
            detection_.num_searches()};
        if (results.num_searches != results_.num_searches)
            results.candidates.lists = std::make_shared<const Candidates>(detection_.candidates());
        return results;
    }

    const CollisionMesh* mesh_;
    Detection detection_;
    DetectionResults results_;
    Positions updated_at_;
    int num_updates_ = 0, num_reads_ = 0;
};

} // namespace abut::python

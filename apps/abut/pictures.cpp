#include "pictures.hpp"

#include "view_options.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"
#include "abut/io/scene_json.hpp"
#include "abut/run/child_process.hpp"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace abut {

namespace fs = std::filesystem;

namespace {

constexpr double usual_fps = 30;
constexpr std::size_t most_pictures = 100'000;

/// The run at any time: frame by frame from the files, linear in between.
class Motion {
public:
    Motion(const ResultFolder& results, std::vector<int> steps) : results_(results), steps_(std::move(steps))
    {
        for_each_frame(results_, steps_, [&](Frame&& frame) {
            if (!times_.empty() && !(frame.time > times_.back()))
                reject("{}: its time does not rise", results_.frame_path(frame.step).string());
            if (!times_.empty() && frame.mesh.vertices.rows() != before_.mesh.vertices.rows())
                reject("{}: has other vertices than the frame before", results_.frame_path(frame.step).string());
            times_.push_back(frame.time);
            before_ = std::move(frame);
        });
        before_ = after_ = load(0);
    }

    [[nodiscard]] const std::vector<double>& times() const { return times_; }
    [[nodiscard]] bool is_flat() const { return before_.mesh.vertices.cols() == 2; }

    void each_vertex(const std::function<void(const Vec3&)>& visit) const
    {
        for_each_frame(results_, steps_, [&](Frame&& frame) {
            for (Eigen::Index i = 0; i < frame.mesh.vertices.rows(); ++i)
                visit(lifted(frame.mesh.vertices, i));
        });
    }

    /// Times must rise from call to call.
    [[nodiscard]] Frame at(double time)
    {
        while (next_ < times_.size() && time > times_[next_]) {
            before_ = std::move(after_);
            ++next_;
            after_ = next_ < times_.size() ? load(next_) : before_;
        }
        const double length = after_.time - before_.time;
        const double share = length > 0 ? std::clamp((time - before_.time) / length, 0.0, 1.0) : 1;
        Frame frame = after_;
        frame.mesh.vertices = (1 - share) * before_.mesh.vertices + share * after_.mesh.vertices;
        frame.time = time;
        return frame;
    }

private:
    [[nodiscard]] Frame load(std::size_t k) const { return results_.frame(steps_[k]); }

    const ResultFolder& results_;
    std::vector<int> steps_;
    std::vector<double> times_;
    Frame before_, after_;
    std::size_t next_ = 0; // after_ is this one
};

/// Times of the run that are pictures.
std::vector<double> picture_times(const std::vector<double>& frames, const ExportOptions& options, bool is_video)
{
    if (options.frames) // asked for frames of the run, and has them
        return frames;
    const double fps = options.fps.value_or(usual_fps), speed = options.speed.value_or(1);
    const double length = frames.back() - frames.front();
    if (is_video && frames.size() == 1)
        reject("the run has one frame, which is no video; draw it with 'abut render', or run the scene on");
    const double count = std::floor(length * fps / speed + 1e-6) + 1;
    if (count > static_cast<double>(most_pictures))
        throw LimitReached(fmt::format(
            "{:.4g} s need {:.0f} pictures, above the limit of {}; choose a smaller --fps or a larger --speed, such as "
            "--speed {:.1g}",
            length, count, most_pictures, length / 10));
    if (is_video && count < 2)
        reject(
            "the run takes {:.3g} s, which is less than a picture at {:g} pictures per second; slow it down, such as "
            "by "
            "--speed {:.1g}",
            length, fps, length / 5);
    std::vector<double> times;
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
        times.push_back(std::min(frames.front() + static_cast<double>(k) * speed / fps, frames.back()));
    return times;
}

/// Draws the pictures one after the other; `take` gets each and says whether to go on.
struct Film {
    Motion motion;
    std::vector<double> times;
    Look look;
    Camera camera;

    void draw(const std::function<bool(const Image&)>& take)
    {
        for (const double time : times) {
            Image image = render(motion.at(time), camera, look);
            draw_time(image, time, times.back());
            if (!take(image))
                return;
        }
    }
};

Film make_film(const ResultFolder& results, const ExportOptions& options, bool is_video)
{
    const auto [width, height] = parse_size(options.view.size);
    const std::vector<int> steps = options.frames ? chosen_steps(results, *options.frames)
                                                  : chosen_steps(results, std::numeric_limits<int>::max());
    Motion motion(results, steps);
    std::vector<double> times = picture_times(motion.times(), options, is_video);
    Look look = make_look(read_scene(results.scene_path()));
    const Camera camera(
        motion.is_flat(), [&](const auto& visit) { motion.each_vertex(visit); },
        parse_view(options.view, motion.is_flat() ? 2 : 3), look.up, width, height);
    return {std::move(motion), std::move(times), std::move(look), camera};
}

void write_png_files(Film& film, const ExportTarget& target)
{
    target.prepare();
    std::size_t k = 0;
    film.draw([&](const Image& image) {
        write_png(target.file(k++), image);
        return true;
    });
    target.remove_beyond(k);
}

std::vector<std::string> encoder(ExportFormat format)
{
    // Colours of a GIF are chosen for each picture: one palette for all would have to wait, with all pictures in
    // memory, for the last one. H.264 wants even numbers of pixels.
    if (format == ExportFormat::gif)
        return {"-vf",   "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:dither=bayer",
                "-loop", "0",
                "-f",    "gif"};
    return {"-vf",       "pad=ceil(iw/2)*2:ceil(ih/2)*2",
            "-c:v",      "libx264",
            "-crf",      "18",
            "-pix_fmt",  "yuv420p",
            "-movflags", "+faststart",
            "-f",        "mp4"};
}

/// The end of what a program said, in one line.
std::string last_words(std::string text)
{
    constexpr std::size_t most = 500;
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20)
            c = ' ';
    text.resize(text.find_last_not_of(' ') + 1);
    return text.empty() ? "it gave no reason" : text.substr(text.size() - std::min(text.size(), most));
}

void write_video(Film& film, const ExportTarget& target, double fps, const std::string& ffmpeg)
{
    fs::path temporary = target.path;
    temporary += fmt::format(".tmp-{}", ::getpid());
    std::vector<std::string> command{
        ffmpeg,
        "-hide_banner",
        "-loglevel",
        "error",
        "-y",
        "-f",
        "rawvideo",
        "-pix_fmt",
        "rgb24",
        "-video_size",
        fmt::format("{}x{}", film.camera.width(), film.camera.height()),
        "-framerate",
        fmt::format("{}", fps),
        "-i",
        "pipe:0"};
    for (const std::string& word : encoder(target.format))
        command.push_back(word);
    command.push_back("file:" + temporary.string()); // else what is before a colon is a protocol

    std::error_code error;
    bool is_taken = true;
    ChildReport report;
    try {
        FedChild child(command);
        film.draw([&](const Image& image) {
            is_taken = child.feed(
                std::string_view(reinterpret_cast<const char*>(image.pixels.data()), 3 * image.pixels.size()));
            return is_taken;
        });
        report = child.finish();
    } catch (...) {
        fs::remove(temporary, error);
        throw;
    }
    if (!is_taken || report.exit_code != 0 || report.signal != 0) {
        fs::remove(temporary, error);
        throw InputOutput(fmt::format(
            "{}: ffmpeg could not write it: {}; repair that, or write pictures with --format png",
            absolute_name(target.path), last_words(report.errors)));
    }
    fs::rename(temporary, target.path, error);
    if (error)
        throw InputOutput(fmt::format("{}: cannot be written: {}", absolute_name(target.path), error.message()));
}

/// A word for a shell, in quotes where it needs them.
std::string for_shell(const std::string& word)
{
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=+:,%";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos)
        return word;
    std::string quoted = "'";
    for (const char c : word)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

/// PNG files in a folder beside the video that cannot be made here.
void write_instead(Film& film, const ExportTarget& target, double fps)
{
    ExportTarget pictures{.format = ExportFormat::png, .path = target.path};
    pictures.path.replace_extension();
    pictures.path += "_frames";
    pictures.before = "frame_";
    pictures.after = ".png";
    pictures.num_digits = 6;
    pictures.is_folder = true;
    std::error_code ignored;
    if (fs::exists(pictures.path, ignored) && !fs::is_empty(pictures.path, ignored) && !target.force)
        reject(
            "{}: the folder is not empty, and without ffmpeg the pictures go there; choose another name or add --force",
            absolute_name(pictures.path));
    write_png_files(film, pictures);
    const std::string folder = absolute_name(pictures.path);
    std::vector<std::string> words{"ffmpeg", "-framerate", fmt::format("{}", fps), "-i", folder + "/frame_%06d.png"};
    for (const std::string& word : encoder(target.format))
        words.push_back(word);
    words.push_back(absolute_name(target.path));
    for (std::string& word : words)
        word = for_shell(word);
    fmt::print(
        "{} pictures of {} x {} pixels: {}\nThere is no ffmpeg on the PATH to make the video. Where it is:\n{}\n",
        film.times.size(), film.camera.width(), film.camera.height(), folder, fmt::join(words, " "));
}

} // namespace

void write_pictures(const ResultFolder& results, const ExportTarget& target, const ExportOptions& options)
{
    const bool is_video = target.format != ExportFormat::png;
    if (is_video && options.frames)
        throw Error(
            ExitCode::bad_usage,
            "--frames: a video has as many pictures as its time needs; leave it out, and use --fps or --speed");
    if (options.frames && (options.fps || options.speed))
        throw Error(
            ExitCode::bad_usage, "--frames: pictures are either so many of the run's frames, or at the times of --fps "
                                 "and --speed; leave one out");
    Film film = make_film(results, options, is_video);
    const double fps = options.fps.value_or(usual_fps);
    const std::string ffmpeg = is_video ? find_program("ffmpeg") : "";
    if (is_video && ffmpeg.empty())
        return write_instead(film, target, fps);
    if (is_video)
        write_video(film, target, fps, ffmpeg);
    else
        write_png_files(film, target);
    fmt::print(
        "{} pictures of {} x {} pixels, {:.4g} s: {}\n", film.times.size(), film.camera.width(), film.camera.height(),
        film.times.back() - film.times.front(), absolute_name(target.path));
}

} // namespace abut

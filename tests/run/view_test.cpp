#include "abut/run/view/chunk_cache.hpp"
#include "abut/run/view/http_text.hpp"
#include "abut/run/view/scene_view.hpp"
#include "abut/run/view/site.hpp"
#include "abut/run/view/stats_tail.hpp"

#include "abut/base/error.hpp"
#include "abut/base/random.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <set>

namespace abut {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string view_token = "0123456789abcdef0123456789abcdef";
constexpr int view_port = 4321;

SharedBytes bytes_of(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

/// Knows one frame, and says what it was asked for.
class SourceOfOneFrame final : public ViewSource {
public:
    std::string title() override { return "a <b> & c"; }
    SharedBytes manifest(std::optional<int> after) override
    {
        return bytes_of(fmt::format("manifest {}", after.value_or(-1)));
    }
    SharedBytes topology() override { return bytes_of("topology"); }
    SharedBytes chunk(int step) override { return step == 7 ? bytes_of("frame 7") : nullptr; }
    SharedBytes stats(int from) override
    {
        if (from == 99)
            throw std::runtime_error("cannot now");
        return bytes_of(fmt::format("stats {}", from));
    }
};

ViewRequest request_of(const std::string& path)
{
    ViewRequest request;
    request.method = "GET";
    request.target = "/" + view_token + "/" + path;
    request.host = fmt::format("127.0.0.1:{}", view_port);
    return request;
}

ViewResponse response_to(const ViewRequest& request)
{
    SourceOfOneFrame source;
    return ViewSite(view_token, view_port, source).respond(request);
}

ParsedRequest::State state_of_bytes(std::string_view bytes) { return parse_request(bytes).state; }

/// A folder that goes with the test.
class TemporaryFolder {
public:
    TemporaryFolder() : path_(fs::temp_directory_path() / ("abut-view-" + random_token()))
    {
        fs::create_directory(path_);
    }
    ~TemporaryFolder() { fs::remove_all(path_); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    [[nodiscard]] fs::path operator/(const char* name) const { return path_ / name; }

private:
    fs::path path_;
};

void append_text(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::app) << text; }

std::string line_of_step(int step)
{
    StepRecord record;
    record.step = step;
    record.time = 0.01 * step;
    record.smallest_distance = 1e-3;
    record.times.factorize = 0.5;
    return to_json_line(record) + "\n";
}

std::string cubes(double height)
{
    const auto cube = [](const char* name, double y) {
        return json{
            {"name", name},
            {"geometry", {{"generate", "tet_box"}, {"size", {0.2, 0.2, 0.2}}, {"subdivisions", {1, 1, 1}}}},
            {"transform", {{"translate", {0, y, 0}}}}};
    };
    return json{{"format", 1}, {"name", "cubes"}, {"objects", {cube("low", 0), cube("high", height)}}}.dump();
}

} // namespace

TEST(ViewSite, ServesWhatItKnowsAndNothingElse)
{
    EXPECT_EQ(*response_to(request_of("manifest.json")).body, "manifest -1");
    EXPECT_EQ(*response_to(request_of("manifest.json?after=12")).body, "manifest 12");
    EXPECT_EQ(*response_to(request_of("manifest.json?t=5&after=0")).body, "manifest 0");
    EXPECT_EQ(*response_to(request_of("topology")).body, "topology");
    EXPECT_EQ(*response_to(request_of("chunk/7")).body, "frame 7");
    EXPECT_EQ(*response_to(request_of("stats.jsonl?from=3")).body, "stats 3");
    const ViewResponse page = response_to(request_of(""));
    EXPECT_EQ(page.status, 200);
    EXPECT_NE(page.body->find("<title>a &lt;b&gt; &amp; c</title>"), std::string::npos);
    EXPECT_NE(page.body->find("data-live=\"manifest.json\""), std::string::npos);

    for (const char* path :
         {"chunk/8",
          "chunk/",
          "chunk/-7",
          "chunk/+7",
          "chunk/7/",
          "chunk/7x",
          "chunk/99999999999999999999",
          "chunk/0x7",
          "chunk/ 7",
          "report.html",
          "../manifest.json",
          "..",
          "%2e%2e/scene.json",
          "scene.json",
          "frames/frame_00000007.vtu",
          "//etc/passwd",
          "manifest.json/",
          "Manifest.json",
          "manifest%2ejson",
          "lock",
          "chunk/7%00"})
        EXPECT_EQ(response_to(request_of(path)).status, 404) << path;
    for (const char* path :
         {"manifest.json?after=", "manifest.json?after=x", "manifest.json?after=-1", "stats.jsonl?from=1e3"})
        EXPECT_EQ(response_to(request_of(path)).status, 400) << path;
}

TEST(ViewSite, RefusesWhoDoesNotKnowTheSecret)
{
    ViewRequest request = request_of("manifest.json");
    std::string wrong = view_token;
    wrong.back() = 'e';
    for (const std::string& target :
         {std::string("/"), std::string("/manifest.json"), std::string(""), std::string("?"),
          "/" + wrong + "/manifest.json", "//" + view_token + "/", "/" + view_token + "0/",
          "/" + view_token.substr(1) + "/", "x" + view_token + "/", std::string("/../") + view_token + "/",
          std::string("/favicon.ico")}) {
        request.target = target;
        EXPECT_EQ(response_to(request).status, 403) << target;
    }
    request.target = "/" + view_token; // knows it, and has lost the slash
    EXPECT_EQ(response_to(request).status, 404);
}

TEST(ViewSite, RefusesOtherHostsOriginsMethodsAndSizes)
{
    const auto status_with = [](auto change) {
        ViewRequest request = request_of("topology");
        change(request);
        return response_to(request).status;
    };
    for (const char* host : {"127.0.0.1:4321", "localhost:4321"})
        EXPECT_EQ(status_with([&](ViewRequest& request) { request.host = host; }), 200) << host;
    for (const char* host :
         {"127.0.0.1", "localhost", "127.0.0.1:80", "evil.example:4321", "", "127.0.0.1:4321.evil.example"})
        EXPECT_EQ(status_with([&](ViewRequest& request) { request.host = host; }), 403) << host;
    EXPECT_EQ(status_with([](ViewRequest& request) { request.host.reset(); }), 403);
    for (const char* origin : {"http://127.0.0.1:4321", "http://localhost:4321"})
        EXPECT_EQ(status_with([&](ViewRequest& request) { request.origin = origin; }), 200) << origin;
    for (const char* origin :
         {"null", "", "https://127.0.0.1:4321", "http://127.0.0.1:4322", "http://evil.example", "127.0.0.1:4321"})
        EXPECT_EQ(status_with([&](ViewRequest& request) { request.origin = origin; }), 403) << origin;
    for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get", "BREW", ""})
        EXPECT_EQ(status_with([&](ViewRequest& request) { request.method = method; }), 405) << method;
    EXPECT_EQ(status_with([](ViewRequest& request) { request.method = "HEAD"; }), 200);
    EXPECT_EQ(status_with([](ViewRequest& request) { request.has_body = true; }), 413);
    EXPECT_EQ(status_with([](ViewRequest& request) { request.target += "?" + std::string(3000, 'a'); }), 414);
}

TEST(ViewSite, SendsNothingAgainThatIsKnown)
{
    const ViewResponse first = response_to(request_of("manifest.json"));
    ASSERT_FALSE(first.etag.empty());
    ViewRequest again = request_of("manifest.json");
    again.if_none_match = first.etag;
    EXPECT_EQ(response_to(again).status, 304);
    EXPECT_EQ(response_to(again).body, nullptr);
    again.target = request_of("manifest.json?after=1").target;
    EXPECT_EQ(response_to(again).status, 200);
}

TEST(ViewSite, AnswersWhereTheSourceThrows) { EXPECT_EQ(response_to(request_of("stats.jsonl?from=99")).status, 503); }

TEST(ViewSite, SecretsAreLongAndDiffer)
{
    std::set<std::string> tokens;
    for (int k = 0; k < 100; ++k)
        tokens.insert(random_token());
    EXPECT_EQ(tokens.size(), 100u);
    EXPECT_EQ(tokens.begin()->size() * 4, 192u);
}

TEST(HttpText, ReadsARequest)
{
    const std::string bytes =
        "GET /a?b=c HTTP/1.1\r\nHOST: LocalHost:1\r\nOrigin:\t http://x \r\nIf-None-Match: \"e\"\r\n\r\nGET";
    const ParsedRequest parsed = parse_request(bytes);
    ASSERT_EQ(parsed.state, ParsedRequest::State::complete);
    EXPECT_EQ(parsed.size, bytes.size() - 3);
    EXPECT_EQ(parsed.request.method, "GET");
    EXPECT_EQ(parsed.request.target, "/a?b=c");
    EXPECT_EQ(parsed.request.host, "localhost:1");
    EXPECT_EQ(parsed.request.origin, "http://x");
    EXPECT_EQ(parsed.request.if_none_match, "\"e\"");
    EXPECT_TRUE(parsed.request.keeps_alive);
    EXPECT_FALSE(parsed.request.has_body);
    for (std::size_t size = 0; size < bytes.size() - 3; ++size)
        EXPECT_EQ(state_of_bytes(std::string_view(bytes).substr(0, size)), ParsedRequest::State::incomplete) << size;
    EXPECT_FALSE(parse_request("GET / HTTP/1.0\r\n\r\n").request.keeps_alive);
    EXPECT_FALSE(parse_request("GET / HTTP/1.1\r\nConnection: Close\r\n\r\n").request.keeps_alive);
    EXPECT_TRUE(parse_request("GET / HTTP/1.1\r\nContent-Length: 1\r\n\r\n").request.has_body);
    EXPECT_TRUE(parse_request("GET / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n").request.has_body);
}

TEST(HttpText, RefusesWhatIsNotExactlyRight)
{
    const auto status_of = [](const std::string& bytes) {
        const ParsedRequest parsed = parse_request(bytes);
        return parsed.state == ParsedRequest::State::refused ? parsed.refusal.status : 0;
    };
    for (const std::string& line :
         {std::string(""), std::string("GET"), std::string("GET /"), std::string("GET  HTTP/1.1"),
          std::string("GET / HTTP/1.1 "), std::string("GET / x HTTP/1.1"), std::string("GET http://a/ HTTP/1.1"),
          std::string("GET * HTTP/1.1"), std::string("G\"T / HTTP/1.1"), std::string("GET /\x01 HTTP/1.1"),
          std::string("GET /\xff HTTP/1.1"), std::string("GET /\0 HTTP/1.1", 15), std::string(" GET / HTTP/1.1"),
          std::string("GET / http/1.1"), std::string("GET /\nHost: a HTTP/1.1")})
        EXPECT_EQ(status_of(line + "\r\n\r\n"), 400) << line;
    EXPECT_EQ(status_of("GET / HTTP/2.0\r\n\r\n"), 505);
    for (const std::string& header :
         {std::string("no colon"), std::string(": no name"), std::string(" folded: line"), std::string("a b: c"),
          std::string("a: b\nc: d"), std::string("a: b\0", 5), std::string("Host: a\r\nHost: a"),
          std::string("Origin: a\r\norigin: b")})
        EXPECT_EQ(status_of("GET / HTTP/1.1\r\n" + header + "\r\n\r\n"), 400) << header;
    EXPECT_EQ(status_of("GET /" + std::string(2100, 'a') + " HTTP/1.1\r\n\r\n"), 414);
    EXPECT_EQ(status_of("GET /" + std::string(2200, 'a')), 414);
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\nA: " + std::string(9000, 'a')), 431);
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\nA: " + std::string(9000, 'a') + "\r\n\r\n"), 431);
    std::string many = "GET / HTTP/1.1\r\n";
    for (int k = 0; k < 100; ++k)
        many += "a: b\r\n";
    EXPECT_EQ(status_of(many + "\r\n"), 431);
}

TEST(HttpText, TakesAnyBytes)
{
    // Any state will do; nothing may be read beyond the bytes, which the address sanitizer sees.
    RandomStream random(11);
    const std::string whole = "GET /a HTTP/1.1\r\nHost: b\r\nOrigin: c\r\n\r\n";
    for (int k = 0; k < 2000; ++k) {
        std::string bytes = whole;
        for (int change = 0; change < 3; ++change)
            bytes[static_cast<std::size_t>(random.uniform(0, static_cast<double>(bytes.size())))] =
                static_cast<char>(static_cast<unsigned char>(random.uniform(0, 256)));
        const ParsedRequest parsed = parse_request(bytes);
        EXPECT_LE(parsed.size, bytes.size());
    }
}

TEST(HttpText, ResponsesCarryTheirSafety)
{
    const std::string head = response_head({.body = bytes_of("four"), .etag = "\"x\""}, true);
    for (const char* line :
         {"HTTP/1.1 200 OK\r\n", "X-Content-Type-Options: nosniff\r\n", "Cache-Control: no-store\r\n",
          "Content-Security-Policy: default-src 'none';", "frame-ancestors 'none'", "connect-src 'self'",
          "Referrer-Policy: no-referrer\r\n", "Content-Length: 4\r\n", "ETag: \"x\"\r\n", "Connection: keep-alive\r\n"})
        EXPECT_NE(head.find(line), std::string::npos) << line;
    EXPECT_TRUE(head.ends_with("\r\n\r\n"));
    EXPECT_NE(response_head(error_response(405, "no"), false).find("Allow: GET, HEAD\r\n"), std::string::npos);
    const std::string unchanged = response_head({.status = 304, .body = nullptr, .etag = "\"x\""}, false);
    EXPECT_EQ(unchanged.find("Content-Length"), std::string::npos);
    EXPECT_NE(unchanged.find("Connection: close\r\n"), std::string::npos);
}

TEST(ChunkCache, KeepsWhatWasUsedLastWithinItsSize)
{
    ChunkCache cache(10);
    const FileIdentity file{.number = 1}, other{.number = 2};
    cache.add(1, file, bytes_of("1234"));
    cache.add(2, file, bytes_of("1234"));
    EXPECT_NE(cache.find(1, file), nullptr);
    cache.add(3, file, bytes_of("1234")); // 2 was not asked for since
    EXPECT_NE(cache.find(1, file), nullptr);
    EXPECT_EQ(cache.find(2, file), nullptr);
    EXPECT_NE(cache.find(3, file), nullptr);
    EXPECT_EQ(cache.num_bytes(), 8u);
    cache.add(4, file, bytes_of("12345678901")); // larger than all of it
    EXPECT_EQ(cache.find(4, file), nullptr);
    EXPECT_NE(cache.find(1, file), nullptr);
    EXPECT_EQ(cache.find(1, other), nullptr); // the file is another one
    EXPECT_EQ(cache.find(1, file), nullptr);
    cache.add(3, other, bytes_of("12"));
    EXPECT_EQ(*cache.find(3, other), "12");
    EXPECT_EQ(cache.num_bytes(), 2u);
    cache.clear();
    EXPECT_EQ(cache.num_bytes(), 0u);
}

TEST(StatsTail, ReadsEachLineOnceItIsWhole)
{
    const TemporaryFolder folder;
    const fs::path path = folder / "stats.jsonl";
    StatsTail stats(path);
    stats.update();
    EXPECT_EQ(stats.last(), nullptr);
    EXPECT_TRUE(std::isnan(stats.seconds_per_step()));
    EXPECT_EQ(stats.lines_from(0, 1000), "");

    const std::string third = line_of_step(3);
    append_text(path, line_of_step(1) + "no record\n" + line_of_step(2) + third.substr(0, 20));
    EXPECT_TRUE(stats.update());
    ASSERT_NE(stats.last(), nullptr);
    EXPECT_EQ(stats.last()->step, 2);
    EXPECT_DOUBLE_EQ(stats.time_of(1), 0.01);
    EXPECT_TRUE(std::isnan(stats.time_of(3)));
    EXPECT_DOUBLE_EQ(stats.seconds_per_step(), 0.5);

    append_text(path, third.substr(20));
    EXPECT_TRUE(stats.update());
    EXPECT_FALSE(stats.update());
    EXPECT_EQ(stats.last()->step, 3);
    EXPECT_EQ(stats.lines_from(3, 1000000), third);
    EXPECT_EQ(stats.lines_from(2, 1000000), line_of_step(2) + third);
    EXPECT_EQ(stats.lines_from(2, 1), line_of_step(2));
    EXPECT_EQ(stats.lines_from(4, 1000000), "");

    // A resume writes the file anew, shorter.
    fs::remove(path);
    append_text(path, line_of_step(1));
    EXPECT_TRUE(stats.update());
    EXPECT_EQ(stats.last()->step, 1);
    EXPECT_TRUE(std::isnan(stats.time_of(2)));
    fs::remove(path);
    stats.update();
    EXPECT_EQ(stats.last(), nullptr);
}

TEST(SceneView, ShowsAStartThatIntersects)
{
    const TemporaryFolder folder;
    const fs::path path = folder / "scene.json";
    append_text(path, cubes(0.15));
    SceneView view(path);
    EXPECT_GT(view.num_findings(), 0u);
    const json manifest = json::parse(*view.manifest({}));
    ASSERT_EQ(manifest["marks"].size(), view.num_findings());
    const json& mark = manifest["marks"][0];
    EXPECT_TRUE(mark["label"].get<std::string>().ends_with("intersect")) << mark["label"];
    EXPECT_NE(mark["label"].get<std::string>().find("of 'low' and face ("), std::string::npos) << mark["label"];
    EXPECT_EQ(mark["triangles"].size(), 2u);
    EXPECT_EQ(manifest["frames"].size(), 1u);
    EXPECT_FALSE(manifest["is_running"]);
    EXPECT_NE(view.chunk(0), nullptr);
    EXPECT_EQ(view.chunk(1), nullptr);
}

TEST(SceneView, TellsNothingOfAGoodStart)
{
    const TemporaryFolder folder;
    const fs::path path = folder / "scene.json";
    append_text(path, cubes(0.25));
    SceneView view(path);
    EXPECT_EQ(view.num_findings(), 0u);
    EXPECT_TRUE(json::parse(*view.manifest({}))["marks"].empty());
}

TEST(SceneView, RejectsASceneThatIsWrong)
{
    const TemporaryFolder folder;
    const fs::path path = folder / "scene.json";
    append_text(path, R"({"format": 1, "objekts": []})");
    EXPECT_THROW(SceneView view(path), InvalidInput);
    EXPECT_THROW(SceneView view(folder / "none.json"), Error);
}

} // namespace abut

#include "abut/mpi/message_count.hpp"

#include <mpi.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace {

abut::MessageCount count;

/// Requests that are made once and started often, with their bytes.
std::vector<std::pair<MPI_Request, double>> kept;

double bytes_of(int number, MPI_Datatype type)
{
    int size = 0;
    PMPI_Type_size(type, &size);
    return static_cast<double>(number) * size;
}

void sent(double bytes)
{
    count.bytes += bytes;
    ++count.messages;
}

/// Receives are not among the requests that were kept.
void started(MPI_Request request)
{
    for (const auto& [known, bytes] : kept)
        if (known == request)
            return sent(bytes);
}

} // namespace

const abut::MessageCount& abut::message_count() { return count; }

extern "C" {

int MPI_Send(const void* data, int number, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    sent(bytes_of(number, type));
    return PMPI_Send(data, number, type, to, tag, comm);
}

int MPI_Isend(const void* data, int number, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request)
{
    sent(bytes_of(number, type));
    return PMPI_Isend(data, number, type, to, tag, comm, request);
}

int MPI_Irsend(const void* data, int number, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request)
{
    sent(bytes_of(number, type));
    return PMPI_Irsend(data, number, type, to, tag, comm, request);
}

int MPI_Send_init(const void* data, int number, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request)
{
    const int result = PMPI_Send_init(data, number, type, to, tag, comm, request);
    kept.emplace_back(*request, bytes_of(number, type));
    return result;
}

int MPI_Request_free(MPI_Request* request)
{
    std::erase_if(kept, [&](const auto& each) { return each.first == *request; });
    return PMPI_Request_free(request);
}

int MPI_Start(MPI_Request* request)
{
    started(*request);
    return PMPI_Start(request);
}

int MPI_Startall(int number, MPI_Request requests[])
{
    std::for_each_n(requests, number, started);
    return PMPI_Startall(number, requests);
}

int MPI_Allreduce(const void* from, void* to, int number, MPI_Datatype type, MPI_Op operation, MPI_Comm comm)
{
    ++count.reductions;
    return PMPI_Allreduce(from, to, number, type, operation, comm);
}

} // extern "C"

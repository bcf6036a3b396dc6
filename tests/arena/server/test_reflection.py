"""A client without stubs: it asks for health, finds the service by reflection, and calls it by description."""

from __future__ import annotations

import grpc
from google.protobuf import descriptor_pool, message_factory
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from arena.server.service import METHODS, SERVICE
from tests.arena.server.running_server import Server, bearer, by_name


def ask(stub: reflection_pb2_grpc.ServerReflectionStub, **question: str) -> reflection_pb2.ServerReflectionResponse:
    (answer,) = stub.ServerReflectionInfo(iter([reflection_pb2.ServerReflectionRequest(**question)]))
    return answer


def test_the_service_describes_itself_well_enough_to_be_called(server: Server) -> None:
    with grpc.insecure_channel(server.addresses[0]) as channel:
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)
        services = [each.name for each in ask(stub, list_services="").list_services_response.service]
        assert SERVICE in services
        # What the server says is put into a pool of its own, where nothing of ours is.
        pool = descriptor_pool.DescriptorPool()
        for content in ask(stub, file_containing_symbol=SERVICE).file_descriptor_response.file_descriptor_proto:
            pool.Add(FileDescriptorProto.FromString(content))
        service = pool.FindServiceByName(SERVICE)
        assert [method.name for method in service.methods] == list(METHODS)
        method = service.methods_by_name["ListTournaments"]
        request = message_factory.GetMessageClass(method.input_type)()
        response_kind = message_factory.GetMessageClass(method.output_type)
        call = by_name(channel, method.name)
        answer = call(request.SerializeToString(), metadata=bearer(server.token("sam", "spectator")))
        assert response_kind.FromString(answer).IsInitialized()


def test_probes_are_told_that_it_serves(server: Server) -> None:
    with grpc.insecure_channel(server.addresses[0]) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        for name in ("", SERVICE):
            status = stub.Check(health_pb2.HealthCheckRequest(service=name)).status
            assert status == health_pb2.HealthCheckResponse.SERVING

# SPDX-License-Identifier: MIT
#
# The program for clusters, built only on request: it needs an MPI, such as Debian's libopenmpi-dev and openmpi-bin.

MPICC ?= mpicc
MPI_OBJECTS := $(call objects,programs/luft-mpi)

.PHONY: mpi test-mpi test-hosts test-slurm

mpi: ## the program for clusters, which needs MPI: build/luft-mpi
	scripts/setup mpi
	+$(SUBMAKE) $(BUILD)/luft-mpi

test-mpi: ## build/luft-mpi with 1, 2 and 4 ranks, killed and resumed
	scripts/setup mpi
	+$(SUBMAKE) $(EXE) $(BUILD)/luft-mpi
	tests/mpi/test_mpi.sh '$(EXE)' '$(BUILD)/luft-mpi'

test-hosts: ## build/luft-mpi on three hosts, one of which is cut off: network namespaces, as root
	scripts/setup mpi hosts
	+$(SUBMAKE) $(EXE) $(BUILD)/luft-mpi
	tests/mpi/test_hosts.sh '$(EXE)' '$(BUILD)/luft-mpi'

test-slurm: ## the Slurm script of docs/cluster.md, with a controller and a node of its own, as root
	scripts/setup slurm
	+$(SUBMAKE) $(EXE)
	tests/mpi/test_slurm.sh '$(EXE)'

# The flags of the wrapper, without its compiler.
$(MPI_OBJECTS): private INCLUDES += -Iprograms/luft $(patsubst -I%,-isystem %,$(shell $(MPICC) --showme:compile 2>/dev/null))

$(OUT)/luft-mpi: $(MPI_OBJECTS) $(filter-out %/programs/luft/main.o,$(LUFT)) $(filter-out %/libtrain.a,$(ALL_LIBRARIES))
	$(call say,LINK,$@)
	$(LINK) -o $@ $^ $(shell $(MPICC) --showme:link) -pthread $(SQLITE_LIBRARIES) $(COMPRESSION_LIBRARIES) -lm

$(BUILD)/luft-mpi: $(OUT)/luft-mpi FORCE
	$(call copy,$<,$@)

-include $(MPI_OBJECTS:.o=.d)
